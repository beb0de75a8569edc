/** Yoga with its default configuration, DataLoader, and fetch over a bounded keep-alive pool. */
import { createServer } from 'node:http';

import DataLoader from 'dataloader';
import { createSchema, createYoga } from 'graphql-yoga';
import { Agent, FormData, fetch } from 'undici';

import { PATHS, identityOf, settings } from './shared/dms.ts';
import type { Dms, Identity, PeerContext } from './shared/dms.ts';
import { queryOf } from './shared/selection.ts';
import { RESOLVERS } from './shared/resolvers.ts';
import { TYPE_DEFS } from './shared/schema.ts';
import type { WireDocument, WireListValue, WirePerson } from './shared/wire.ts';

const { port, upstream } = settings();
const dispatcher = new Agent({ connections: 128 });

async function call(path: string, identity: Identity, init: object = {}) {
  const { headers = {}, ...rest } = init as { headers?: object };
  const answer = await fetch(upstream + path, {
    ...rest,
    headers: { ...identity, ...headers },
    dispatcher,
  });
  if (!answer.ok) throw new Error(`upstream answered ${answer.status}`);
  return answer;
}

function createDms(identity: Identity): Dms {
  const get = async <T>(path: string): Promise<T> =>
    (await (await call(path, identity)).json()) as T;
  const all = async <T>(paths: readonly string[]): Promise<T[]> => Promise.all(paths.map(get<T>));
  const documents = new DataLoader((paths: readonly string[]) => all<WireDocument>(paths));
  const persons = new DataLoader((ids: readonly string[]) =>
    all<WirePerson>(ids.map(PATHS.person)),
  );
  const listValues = new DataLoader((ids: readonly string[]) =>
    all<WireListValue>(ids.map(PATHS.listValue)),
  );
  return {
    document: (id, needs) => documents.load(PATHS.document(id, queryOf(needs))),
    inView: async (view, first, needs) => {
      const answer = await call(PATHS.view(view, first, queryOf(needs)), identity);
      const total = Number(answer.headers.get('svc-total-count'));
      return { documents: (await answer.json()) as WireDocument[], total };
    },
    person: (id) => persons.load(id),
    listValue: (id) => listValues.load(id),
    respond: async (document, response, body) => {
      await call(PATHS.response(document, response), identity, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.arrayBuffer());
    },
    // Yoga returns uploads as its own File objects, which are already in memory.
    create: async (form, files) => {
      const body = new FormData();
      body.append('docForm', '{}');
      for (const file of files as unknown as readonly File[]) {
        body.append('files', new Blob([await file.arrayBuffer()]), file.name);
      }
      const answer = await call(PATHS.create(form), identity, { method: 'POST', body });
      return (await answer.json()) as WireDocument;
    },
  };
}

const yoga = createYoga({
  schema: createSchema<PeerContext>({ typeDefs: TYPE_DEFS, resolvers: RESOLVERS as never }),
  graphiql: false,
  maxRequestBodySize: 2 ** 30,
  context: ({ request }): PeerContext => ({
    dms: createDms({
      authorization: String(request.headers.get('authorization')),
      'svc-run-as': String(request.headers.get('svc-run-as')),
    }),
  }),
  plugins: [
    {
      async onRequest(hook) {
        const { url, request } = hook;
        if (!url.pathname.startsWith('/files/documents/')) return;
        const [, , , document = '', file = ''] = url.pathname.split('/');
        const identity = identityOf(Object.fromEntries(request.headers));
        const answer = await call(PATHS.file(document, file), identity);
        hook.endResponse(
          new Response(answer.body as never, {
            headers: {
              'content-type': String(answer.headers.get('content-type')),
              'content-length': String(answer.headers.get('content-length')),
              'content-disposition': String(answer.headers.get('content-disposition')),
            },
          }),
        );
      },
    },
  ],
});

createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
  void yoga(request, response);
}).listen(port, '127.0.0.1');
