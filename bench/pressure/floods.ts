/** What a client can send to occupy a server. `bench:pressure` and the tests of deploy/nginx.conf send it. */
import { connect } from 'node:net';

/** Connections that each send the same bytes, and then nothing. */
export interface Flood {
  readonly title: string;
  readonly connections: number;
  readonly bytes: Buffer;
  /** Whether the client reads the responses. Default true. */
  readonly reads?: boolean;
}

export interface RunningFlood {
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Resolves when all bytes have been sent, or their connections closed. */
  readonly sent: Promise<unknown>;
}

const head = (target: string, headers: readonly string[] = []): string =>
  [
    `${target} HTTP/1.1`,
    'host: localhost',
    'authorization: Bearer flood',
    'apollo-require-preflight: 1',
    ...headers,
    '\r\n',
  ].join('\r\n');

function post(body: string, missing = 0): string {
  const length = `content-length: ${Buffer.byteLength(body) + missing}`;
  return head('POST /graphql', ['content-type: application/json', length]) + body;
}

const chunk = '1\r\n \r\n';
const chunked = ['content-type: application/json', 'transfer-encoding: chunked'];
const upload = ['content-type: multipart/form-data; boundary=b', 'content-length: 10000000'];
const query = '{"query":"{document(id:\\"DOC-1\\"){id shortId}}"}';
const largeQuery = '{"query":"{document(id:\\"DOC-LARGE\\"){values{...on TextValue{text}}}}"}';
const operations = JSON.stringify({
  query: 'mutation($i:CreateDocumentInput!){createDocument(input:$i){__typename}}',
  variables: { i: { form: 'INV', files: [null] } },
});
const part = (name: string, body: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${body}\r\n`;
const file = '--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n';
const parts = part('operations', operations) + part('map', '{"0":["variables.i.files.0"]}') + file;

export const floods: readonly Flood[] = [
  {
    title: 'pipelined requests',
    connections: 30,
    bytes: Buffer.from(post(query).repeat(1000)),
  },
  {
    title: 'JSON bodies without their last byte',
    connections: 1000,
    bytes: Buffer.from(post(' '.repeat(1_000_000), 1)),
  },
  {
    title: 'pipelined requests without Host',
    connections: 200,
    bytes: Buffer.from('GET /graphql HTTP/1.1\r\n\r\n'.repeat(3600)),
  },
  {
    title: 'heads without their end',
    connections: 3000,
    bytes: Buffer.from(head('GET /', [`x: ${'a'.repeat(6000)}`]).slice(0, -4)),
  },
  {
    title: 'heads of 950 headers without their end',
    connections: 9900,
    bytes: Buffer.from(head('GET /', Array(950).fill('x: aaaa')).slice(0, -4)),
  },
  {
    title: 'bodies in chunks of one byte without their end',
    connections: 100,
    bytes: Buffer.from(head('POST /graphql', chunked) + chunk.repeat(100_000)),
  },
  {
    title: 'uploads without their end',
    connections: 1000,
    bytes: Buffer.from(head('POST /graphql', upload) + parts + ' '.repeat(200_000)),
  },
  {
    title: 'responses of 5 MB that nobody reads',
    connections: 10, // each occupies three times its size: docs/deployment.md
    bytes: Buffer.from(post(largeQuery)),
    reads: false,
  },
];

/** Starts a flood from 127.0.0.1. Its connections are open until the process ends. */
export function startFlood({ connections, bytes, reads = true }: Flood, url: string): RunningFlood {
  const statuses: Record<string, number> = {};
  const sent = Array.from({ length: connections }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    if (reads) {
      socket.on('data', (data: Buffer) => {
        // A status line in two parts is not counted.
        for (const [, status = ''] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      });
    }
    return new Promise<void>((resolve) => {
      socket.once('close', resolve);
      socket.write(bytes, () => resolve());
    });
  });
  return { statuses, sent: Promise.all(sent) };
}
