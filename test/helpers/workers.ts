import { Client } from 'undici';
import { onTestFinished } from 'vitest';
import { addressOf, logged, spawnGateway, type GatewayProcess } from './process.ts';

/** One of several processes of a gateway, over a connection of its own. */
export interface WorkerClient {
  /** Its number, as the log has it. */
  readonly worker: number;
  /** POSTs a document as JSON; what is resolved with is the whole answer. */
  query(document: string): Promise<unknown>;
  /** Subscribes; the connection takes no other request. @returns what has arrived so far, as it came */
  subscribe(document: string): Promise<() => string>;
  get(path: string): Promise<{ readonly status: number; readonly body: string }>;
}

export interface Workers {
  readonly gateway: GatewayProcess;
  readonly url: string;
  /** Process ids; the first is that of worker 1. */
  readonly pids: readonly number[];
  /** Connections to worker 1, 2 and so on. */
  readonly clients: readonly WorkerClient[];
}

/** A gateway of several processes on a free port, and a connection to each. */
export async function startWorkers(
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<Workers> {
  const gateway = spawnGateway({ WORKERS: String(count), ...settings });
  const url = await addressOf(gateway);
  const { pids } = await logged(gateway, { msg: 'workers started' });
  const clients: WorkerClient[] = [];
  for (let worker = 1; worker <= count; worker += 1) {
    clients.push(await connectTo(worker, gateway, url));
  }
  return { gateway, url, pids: pids as number[], clients };
}

/** A connection to this worker. The kernel distributes them by source port, so that a few have to be tried. */
export async function connectTo(
  worker: number,
  gateway: GatewayProcess,
  url: string,
): Promise<WorkerClient> {
  for (;;) {
    const clients = await Promise.all(Array.from({ length: 6 }, () => connect(gateway, url)));
    const found = clients.find((client) => client.worker === worker);
    if (found !== undefined) return found;
  }
}

let connections = 0;

/** A connection to whichever worker it falls to. */
export async function connect(gateway: GatewayProcess, url: string): Promise<WorkerClient> {
  const client = new Client(url, { pipelining: 1, keepAliveTimeout: 60_000 });
  onTestFinished(() => client.destroy());
  const query = async (document: string, requestId?: string): Promise<unknown> => {
    const { body } = await client.request({
      method: 'POST',
      path: '/graphql',
      headers: {
        'content-type': 'application/json',
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      body: JSON.stringify({ query: document }),
    });
    return body.json();
  };
  connections += 1;
  const requestId = `connection-${connections}`;
  await query('{ __typename }', requestId);
  const { worker } = await logged(gateway, { msg: 'request', requestId });
  return {
    worker: Number(worker),
    query: (document) => query(document),
    async subscribe(document) {
      const { body } = await client.request({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: document }),
      });
      let text = '';
      body.on('data', (chunk: Buffer) => (text += chunk.toString()));
      body.on('error', () => {});
      return () => text;
    },
    async get(path) {
      const { statusCode, body } = await client.request({ method: 'GET', path });
      return { status: statusCode, body: await body.text() };
    },
  };
}
