import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { startFailingDms, type Behaviour } from './failing-dms.ts';
import { startGatewayBefore, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import { jwtIdentity } from './jwt.ts';
import { createDocumentParts } from './multipart-request.ts';
import { rawRequest, type RawResponse } from './raw-request.ts';

/** A response of the DMS, or of the issuer of tokens, before a test changes how it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How an answer is sent. It is called when the whole request has arrived. */
export type Send = (answer: Answer, request: IncomingMessage, response: ServerResponse) => void;

/** A DMS that answers a request of every direction, and the key set of an issuer. */
export interface DirectionsDms {
  readonly url: string;
  /** The requests so far: `GET /api/v2/…`. */
  readonly requests: string[];
  /** The headers of these requests. */
  readonly headers: IncomingHttpHeaders[];
  /** Signs a token with the key of the issuer. */
  sign(): Promise<string>;
}

const documentId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const organizationId = 'cccccccccccccccccccccccc';
/** The content of the file. It has several chunks. */
export const fileContent = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));

/** Sends the answer as it is. */
export const sendPlain: Send = ({ status, headers, body }, _request, response) => {
  response.writeHead(status, headers).end(body);
};

/** Starts the DMS, by default without TLS. It is closed when the test ends. */
export async function startDirectionsDms(send: Send, tls?: ServerOptions): Promise<DirectionsDms> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'first' }];
  const received: IncomingHttpHeaders[] = [];
  const behave: Behaviour = (request, response) => {
    received.push(request.headers);
    const answer = answerTo(`${request.method} ${request.url}`, keys);
    request.resume().once('end', () => send(answer, request, response));
  };
  const dms = await startFailingDms(behave, 0, tls);
  return {
    url: dms.url,
    requests: dms.requests,
    headers: received,
    sign: () =>
      new SignJWT({ email: 'ann@example.com' })
        .setProtectedHeader({ alg: 'ES256', kid: 'first' })
        .setIssuer('https://id.example')
        .setAudience('gateway')
        .setExpirationTime('1h')
        .sign(privateKey),
  };
}

function json(value: unknown, status = 200, headers = {}): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function answerTo(line: string, keys: readonly JWK[]): Answer {
  if (line.includes('/keys')) return json({ keys });
  if (line.includes('/person/')) return json({ _id_sys: 'usr-ann', name_first: 'Änne' });
  if (line.includes('/text')) {
    const headers = { 'content-type': 'text/plain;charset=UTF-8', 'svc-total-count': '3' };
    return { status: 200, headers, body: Buffer.from('Grüße\n'.repeat(100)) };
  }
  if (line.includes('/file/')) {
    const headers = { 'content-type': 'application/pdf', 'accept-ranges': 'bytes', etag: '"v1"' };
    return { status: 200, headers, body: fileContent };
  }
  if (line.startsWith('DELETE')) return json({ error: 'in use' }, 400, { 'x-error': 'In use.' });
  if (line.includes('/crm/org')) return json({ _id: organizationId, name: 'Müller' });
  if (line.includes('/form/')) return json({ _id: documentId, state: 1 }, 201);
  return json({ _id: documentId, state: 1 });
}

/** The options of the gateway, and headers of the client. */
interface DirectionOptions extends TestGatewayOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** One kind of call to the DMS or the issuer, and what a client gets if it succeeds. */
export interface Direction {
  readonly name: string;
  readonly run: (dms: DirectionsDms, options: DirectionOptions) => Promise<unknown>;
  readonly expected: unknown;
}

const dataOf =
  (query: string): Direction['run'] =>
  async (dms, options) => {
    const gateway = await startGatewayBefore(dms.url, options);
    const { data, errors } = await gateway.query(query, {}, options.headers);
    return errors ?? data;
  };

const fileOf: Direction['run'] = async (dms, options) => {
  const gateway = await startGatewayBefore(dms.url, options);
  const { status, headers, body } = await download(gateway, options.headers);
  return { status, type: headers['content-type'], isEqual: body.equals(fileContent) };
};

const documentOf: Direction['run'] = async (dms, options) => {
  const gateway = await startGatewayBefore(dms.url, options);
  const files = [{ filename: 'a.txt', body: Buffer.alloc(100_000) }];
  const { data, errors } = await gateway.upload(createDocumentParts(files), options.headers);
  return errors ?? data;
};

const viewerOf: Direction['run'] = async (dms, options) => {
  const identity = {
    ...jwtIdentity,
    secret: null,
    issuer: 'https://id.example',
    audience: 'gateway',
    jwksUrl: `${dms.url}/keys`,
  };
  const server = { identity, ...options.server };
  const gateway = await startGatewayBefore(dms.url, { ...options, server });
  const authorization = `Bearer ${await dms.sign()}`;
  const headers = { ...options.headers, authorization };
  const { data, errors } = await gateway.query('{ viewer { runAs } }', {}, headers);
  return errors ?? data;
};

const upsert = 'mutation { upsertOrganization(input: { name: "Müller" }) { __typename';

/** Every direction in which the gateway receives something. */
export const directions: readonly Direction[] = [
  {
    name: 'a read',
    run: dataOf('{ person(id: "usr-ann") { firstName } }'),
    expected: { person: { firstName: 'Änne' } },
  },
  {
    name: 'a text',
    run: dataOf(`{ document(id: "${documentId}") { recognizedText { text totalCount } } }`),
    expected: {
      document: { recognizedText: { text: 'Grüße\n'.repeat(100), totalCount: 3 } },
    },
  },
  {
    name: 'a write',
    run: dataOf(`${upsert} ... on UpsertOrganizationPayload { organization { name } } } }`),
    expected: {
      upsertOrganization: {
        __typename: 'UpsertOrganizationPayload',
        organization: { name: 'Müller' },
      },
    },
  },
  {
    name: 'a rejected write',
    run: dataOf(
      `mutation { deleteOrganization(input: { id: "${organizationId}" }) { ... on ValidationError { message } } }`,
    ),
    expected: { deleteOrganization: { message: 'In use.' } },
  },
  {
    name: 'an upload',
    run: documentOf,
    expected: {
      createDocument: {
        __typename: 'CreateDocumentPayload',
        document: { fullId: documentId, files: [] },
        workflowError: null,
      },
    },
  },
  {
    name: 'a download',
    run: fileOf,
    expected: { status: 200, type: 'application/pdf', isEqual: true },
  },
  {
    name: 'a key set',
    run: viewerOf,
    expected: { viewer: { runAs: 'ann@example.com' } },
  },
];

/** Reads the file of the DMS through a gateway. Rejects if the connection breaks. */
export function download(
  { url }: Pick<TestGateway, 'url'>,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  path = `/files/documents/${documentId}/bbbbbbbbbbbbbbbbbbbbbbbb`,
): Promise<RawResponse> {
  return rawRequest(url, path, headers, method);
}
