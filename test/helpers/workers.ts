import { Client } from 'undici';
import { onTestFinished } from 'vitest';
import { addressOf, logged, spawnGateway, type GatewayProcess } from './process.ts';

/** A connection to one worker of a gateway. */
export interface WorkerClient {
  /** Number of the worker in the log. */
  readonly worker: number;
  /** Sends a query document as JSON and returns the complete response. */
  query(document: string): Promise<unknown>;
  /** Subscribes; the connection takes no other request. @returns what has arrived so far, as it came */
  subscribe(document: string): Promise<() => string>;
  get(path: string): Promise<{ readonly status: number; readonly body: string }>;
}

export interface Workers {
  readonly gateway: GatewayProcess;
  readonly url: string;
  /** Process IDs by worker number. */
  readonly pids: readonly number[];
  /** Connections to worker 1, 2 and so on. */
  readonly clients: readonly WorkerClient[];
}

/** Starts a gateway with several workers on a free port, and connects to each. */
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

/** Connects to a worker. The kernel distributes connections by source port, so several attempts may be necessary. */
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

/** Connects to any worker. */
async function connect(gateway: GatewayProcess, url: string): Promise<WorkerClient> {
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
