import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import type { Pool } from 'undici';

import type { Dms, Identity } from './dms.ts';
import { PATHS } from './dms.ts';
import { multipartBody } from './multipart.ts';
import { queryOf } from './selection.ts';
import type { WireDocument, WireListValue, WirePerson } from './wire.ts';

interface Got {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Sends a GET request for JSON over the pool. Throws for any status except 200. */
export async function getJson(pool: Pool, path: string, identity: Identity): Promise<Got> {
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path,
    headers: { authorization: identity.authorization, 'svc-run-as': identity['svc-run-as'] },
  });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`upstream answered ${statusCode}`);
  }
  return { body: await body.json(), headers };
}

/** Upstream calls over an undici pool, with each GET once per request. */
export function createPoolDms(pool: Pool, identity: Identity): Dms {
  const asked = new Map<string, Promise<Got>>();
  const once = (path: string): Promise<Got> => {
    let got = asked.get(path);
    if (got === undefined) asked.set(path, (got = getJson(pool, path, identity)));
    return got;
  };
  return {
    document: async (id, wanted) =>
      (await once(PATHS.document(id, queryOf(wanted)))).body as WireDocument,
    inView: async (view, first, wanted) => {
      const { body, headers } = await once(PATHS.view(view, first, queryOf(wanted)));
      return { documents: body as WireDocument[], total: Number(headers['svc-total-count']) };
    },
    person: async (id) => (await once(PATHS.person(id))).body as WirePerson,
    listValue: async (id) => (await once(PATHS.listValue(id))).body as WireListValue,
    respond: async (document, response, body) => {
      await putJson(pool, PATHS.response(document, response), identity, body);
    },
    create: async (form, files) => {
      const { contentType, body } = multipartBody(files);
      const answer = await pool.request({
        method: 'POST',
        path: PATHS.create(form),
        headers: { ...identity, 'content-type': contentType },
        // The pool accepts any async iterable, but its types only declare streams.
        body: body as unknown as Readable,
        bodyTimeout: 0,
      });
      if (answer.statusCode !== 201) throw new Error(`upstream answered ${answer.statusCode}`);
      return (await answer.body.json()) as WireDocument;
    },
  };
}

export async function putJson(
  pool: Pool,
  path: string,
  identity: Identity,
  body: object,
): Promise<void> {
  const answer = await pool.request({
    method: 'PUT',
    path,
    headers: { ...identity, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`upstream answered ${answer.statusCode}`);
}
