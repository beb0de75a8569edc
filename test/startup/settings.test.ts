import { expect, it, onTestFinished } from 'vitest';
import { startGateway, type GatewaySettings } from '../../src/index.ts';
import { misbehave, startFailingDms, type FailingDms } from '../helpers/failing-dms.ts';
import { createDocumentParts, multipart, multipartHeaders } from '../helpers/multipart-request.ts';
import { untilUnchanged } from '../helpers/until-unchanged.ts';

interface Started {
  readonly url: string;
  readonly dms: FailingDms;
}

/** Starts a gateway with these settings, and a DMS that never answers. */
async function start(settings: GatewaySettings): Promise<Started> {
  const dms = await startFailingDms(misbehave.silence);
  const gateway = await startGateway({
    DMS_URL: dms.url,
    DMS_AUTHORIZATION: 'Bearer x',
    IDENTITY: 'service',
    FILE_URL_SECRET: 'a secret of more than 32 characters, for tests',
    SHUTDOWN_TIMEOUT_MS: 0,
    ...settings,
  });
  onTestFinished(() => gateway.close());
  return { url: gateway.url, dms };
}

async function post({ url }: Started, query: string, accept = 'application/json'): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
  });
  return response.text();
}

const document = '{ document(id: "DOC-1") { state } }';
const documents = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, n) => `d${n}: document(id: "DOC-${n}") { state }`).join(' ')} }`;
const fourDocuments = documents(4);

it.each<[what: string, GatewaySettings, queries: readonly string[], count: number]>([
  ['four documents', {}, [fourDocuments], 4],
  ['fifty documents', { MAX_ROOT_FIELDS: 50 }, [documents(50)], 50],
  ['four documents', { DMS_CONNECTIONS: 2 }, [fourDocuments], 2],
  ['four documents', { DMS_CONCURRENCY: 3 }, [fourDocuments], 3],
  ['a document twice', {}, [document, document], 1],
  ['a document twice', { SINGLE_FLIGHT: false }, [document, document], 2],
])('reads %s with as many requests as %j allows', async (_what, settings, queries, count) => {
  const started = await start(settings);
  for (const query of queries) post(started, query).catch(() => {}); // the gateway is closed first
  const metrics = async (): Promise<string> => (await fetch(`${started.url}/metrics`)).text();
  const inFlight = queries.length + 1; // with the request for the metrics
  await expect.poll(metrics).toContain(`gateway_requests_in_flight ${inFlight}\n`);
  const received = (): number => started.dms.requests.length;
  await expect.poll(received).toBe(count);
  expect(await untilUnchanged(received)).toBe(count);
});

const query =
  (text: string, accept?: string) =>
  (started: Started): Promise<string> =>
    post(started, text, accept);

async function uploadTwoFiles({ url }: Started): Promise<string> {
  const files = ['a', 'b'].map((filename) => ({ filename, body: filename }));
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: multipartHeaders,
    body: new Uint8Array(multipart(createDocumentParts(files))),
  });
  return response.text();
}

async function redirect({ url }: Started): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  return String(response.headers.get('location'));
}

it.each<[GatewaySettings, (started: Started) => Promise<string>, string]>([
  [{ MAX_ALIASES: 1 }, query('{ a: __typename b: __typename }'), 'MAX_ALIASES allows 1.'],
  [{ MAX_TOKENS: 10 }, query(`{ ${'__typename '.repeat(11)} }`), 'MAX_TOKENS allows 10.'],
  [
    { MAX_RESPONSE_BYTES: 1024 },
    query('{ __schema { types { name } } }'),
    'MAX_RESPONSE_BYTES allows 1024 bytes.',
  ],
  [{ MAX_UPLOAD_FILES: 1 }, uploadTwoFiles, 'MAX_UPLOAD_FILES allows 1.'],
  [{ PUBLIC_URL: 'https://api.example/dms' }, redirect, 'https://api.example/dms/graphql'],
])('the setting %j is in effect', async (settings, answerOf, expected) => {
  expect(await answerOf(await start(settings))).toContain(expected);
});
