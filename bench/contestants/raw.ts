/**
 * The practical limit: node:http and an undici pool that make the ideal upstream calls of each workload and build the
 * response by hand. No schema, no executor, no limits.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Pool } from 'undici';

import { PATHS, identityOf, settings } from './shared/dms.ts';
import type { Identity } from './shared/dms.ts';
import { getJson, putJson } from './shared/pool-dms.ts';
import { afterAction, inbox, levels, references, scalars, status } from './shared/raw-responses.ts';
import type { WireDocument, WireListValue, WirePerson } from './shared/wire.ts';

const { port, upstream } = settings();
const pool = new Pool(upstream, { connections: 128 });

const SCALARS = 'fields=_id,_id_web,state,step,iteration,status,datecreated,datedue';
const INBOX = 'fields=_id,_id_web,author,state,id,fileName&embed=valuesByTags,filesList';
const ROOT = 'fields=_id,_id_web,state&embed=refByDocs';
const REFERENCE =
  'fields=_id,_id_web,author,state,step,status,content,id,fileName,pageIdxStart,pageIdxEnd,validated' +
  '&embed=valuesByTags,filesList,recoData,docResponse';
const STATUS = 'fields=_id,state,step,iteration,status';
const ANSWERED = 'fields=_id,_id_web,state,step,status,id,fileName&embed=valuesByTags,filesList';

interface Body {
  readonly operationName: string;
  readonly query: string;
  readonly variables: Record<string, string>;
}

/** Converts the values of an input to the upstream's format. */
function byTags(values: unknown): object {
  const list = values as readonly { readonly tag: string; readonly text: string }[];
  return Object.fromEntries(list.map(({ tag, text }) => [tag, text]));
}

async function get<T>(path: string, identity: Identity): Promise<T> {
  return (await getJson(pool, path, identity)).body as T;
}

async function persons(documents: readonly WireDocument[], identity: Identity) {
  const ids = [...new Set(documents.map(({ author }) => author ?? ''))];
  const got = await Promise.all(ids.map((id) => get<WirePerson>(PATHS.person(id), identity)));
  return new Map(got.map((person) => [person._id_sys, person]));
}

async function answer(
  { operationName, query, variables }: Body,
  identity: Identity,
): Promise<object> {
  const id = variables['id'] ?? '';
  switch (operationName) {
    case 'W1':
      return { document: scalars(await get(PATHS.document(id, SCALARS), identity)) };
    case 'W2': {
      const view = String(variables['view']).toLowerCase();
      const got = await getJson(
        pool,
        PATHS.view(view, Number(variables['first']), INBOX),
        identity,
      );
      const documents = got.body as WireDocument[];
      const authors = await persons(documents, identity);
      return { documents: inbox(documents, authors, Number(got.headers['svc-total-count'])) };
    }
    case 'W3': {
      const root = await get<WireDocument>(PATHS.document(id, ROOT), identity);
      const referring = await Promise.all(
        (root.refByDocs ?? []).map((each) =>
          get<WireDocument>(PATHS.document(each, REFERENCE), identity),
        ),
      );
      return { document: references(root, referring, await persons(referring, identity)) };
    }
    case 'W5': {
      const document = variables['document'] ?? '';
      const path = PATHS.response(document, variables['response'] ?? '');
      const action = { taskstatus: 2, content: 'Seen and agreed' };
      await putJson(pool, path, identity, { docResponse: action });
      const wire = await get<WireDocument>(PATHS.document(document, ANSWERED), identity);
      return { respondToDocument: { document: afterAction(wire) } };
    }
    case 'W5s': {
      const document = variables['document'] ?? '';
      const path = PATHS.response(document, variables['response'] ?? '');
      const body = {
        docForm: { valuesByTags: byTags(variables['values']) },
        docResponse: { taskstatus: 3, content: variables['content'] },
      };
      await putJson(pool, path, identity, body);
      const wire = await get<WireDocument>(PATHS.document(document, STATUS), identity);
      return { respondToDocument: { document: status(wire) } };
    }
    default: {
      const chain: WireListValue[] = [];
      const depth = query.split('fullId').length - 1;
      for (let next: string | undefined = id; next !== undefined && chain.length < depth;) {
        const value: WireListValue = await get(PATHS.listValue(next), identity);
        chain.push(value);
        next = value._id_kf;
      }
      return { listValue: levels(chain) };
    }
  }
}

function onGraphql(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [only] = chunks;
    const text = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    answer(JSON.parse(text.toString()) as Body, identityOf(request.headers)).then(
      (data) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ data }));
      },
      (error: unknown) => {
        response.writeHead(502);
        return response.end(String(error));
      },
    );
  });
}

/** Forwards the multipart body unchanged. No proxy that parses it can be faster. */
async function onUpload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: PATHS.create('invoice'),
    headers: {
      ...identityOf(request.headers),
      'content-type': String(request.headers['content-type']),
    },
    body: request,
    bodyTimeout: 0,
  });
  const wire = (await body.json()) as WireDocument;
  response.writeHead(statusCode === 201 ? 200 : 502, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ data: { createDocument: { document: { shortId: wire._id_web } } } }),
  );
}

async function onFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, , , document = '', file = ''] = String(request.url).split('/');
  await pool.stream(
    {
      method: 'GET',
      path: PATHS.file(document, file),
      headers: { ...identityOf(request.headers) },
    },
    ({ statusCode, headers }) => {
      response.writeHead(statusCode, {
        'content-type': String(headers['content-type']),
        'content-length': String(headers['content-length']),
        'content-disposition': String(headers['content-disposition']),
      });
      return response;
    },
  );
}

createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
  const fail = (): void => void response.destroy();
  if (request.method === 'GET') onFile(request, response).catch(fail);
  else if (request.headers['content-type']?.startsWith('multipart/') === true) {
    onUpload(request, response).catch(fail);
  } else onGraphql(request, response);
}).listen(port, '127.0.0.1');
