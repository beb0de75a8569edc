import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { startGatewayBefore, type TestGateway } from '../helpers/gateway.ts';

const id = 'cccccccccccccccccccccccc';

/** The addresses that a name resolves to, one after the other. */
const resolved = vi.fn<() => dns.LookupAddress[]>();

function resolveTo(...addresses: string[]): void {
  resolved.mockReturnValue(
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
}

interface Backend {
  /** Methods of the requests so far. */
  readonly requests: string[];
  /** Ports of the connections so far, as the client has them. */
  readonly ports: Set<number | undefined>;
  readonly server: Server;
}

/** Starts a DMS at an address of this machine. It answers after `wait`. */
async function startAt(
  address: string,
  port: number,
  wait: () => Promise<void> = () => Promise.resolve(),
): Promise<Backend> {
  const requests: string[] = [];
  const ports = new Set<number | undefined>();
  const body = JSON.stringify({ _id_sys: 'usr-ann', _id: id, name: 'a', name_first: address });
  const server = createServer((request, response) => {
    requests.push(request.method!);
    ports.add(request.socket.remotePort);
    wait().then(
      () => response.end(body),
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, address);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, ports, server };
}

const start = (
  port: number,
  http: { connectionMaxAgeS?: number; connections?: number; timeoutMs?: number } = {},
): Promise<TestGateway> => {
  const { lookup } = dns;
  vi.spyOn(dns, 'lookup').mockImplementation(((
    name: string,
    options: dns.LookupOptions,
    callback: (error: Error | null, ...found: unknown[]) => void,
  ) => {
    if (name !== 'dms.example') return lookup(name, options, callback as never);
    const [first] = resolved();
    if (options.all) callback(null, resolved());
    else callback(null, first!.address, first!.family);
  }) as never);
  return startGatewayBefore(`http://dms.example:${port}`, {
    http: { connections: 1, retries: 0, ...http },
  });
};

async function readFrom(gateway: TestGateway): Promise<unknown> {
  const { data, errors } = await gateway.query('{ person(id: "usr-ann") { firstName } }');
  return errors ?? data.person.firstName;
}

async function writeTo(gateway: TestGateway): Promise<unknown> {
  const { data, errors } = await gateway.query(
    'mutation { upsertOrganization(input: { name: "a" }) { __typename } }',
  );
  return errors ?? data.upsertOrganization.__typename;
}

describe('a DMS with several addresses', () => {
  it.each([
    ['the first IPv4 address', ['127.0.0.2', '127.0.0.1']],
    ['the first address, of IPv6', ['::1', '127.0.0.1']],
    ['two of three addresses', ['127.0.0.3', '::1', '127.0.0.1']],
  ])('is reached although nothing listens at %s', async (_name, addresses) => {
    const port = await freePort();
    const { requests } = await startAt('127.0.0.1', port);
    resolveTo(...addresses);
    const gateway = await start(port);
    expect(await readFrom(gateway)).toBe('127.0.0.1');
    expect(await writeTo(gateway)).toBe('UpsertOrganizationPayload');
    expect(requests).toEqual(['GET', 'POST']);
  });

  it('is unavailable if nothing listens at any, and the write was not sent', async () => {
    resolveTo('127.0.0.2', '::1');
    const gateway = await start(await freePort());
    expect(await writeTo(gateway)).toMatchObject([
      { extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
  });
});

describe('a DMS whose address changes', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is reached at the new one when a connection is too old', async () => {
    const port = await freePort();
    const old = await startAt('127.0.0.1', port);
    const current = await startAt('127.0.0.2', port);
    resolveTo('127.0.0.1');
    const gateway = await start(port, { connectionMaxAgeS: 60 });
    expect(await readFrom(gateway)).toBe('127.0.0.1');
    resolveTo('127.0.0.2');
    vi.advanceTimersByTime(60_000);
    expect(await readFrom(gateway)).toBe('127.0.0.1');
    vi.advanceTimersByTime(1);
    expect(await readFrom(gateway)).toBe('127.0.0.2');
    expect(await writeTo(gateway)).toBe('UpsertOrganizationPayload');
    expect([old.requests, current.requests]).toEqual([
      ['GET', 'GET'],
      ['GET', 'POST'],
    ]);
  });

  it('finishes what is in flight on the old connection, and sends nothing twice', async () => {
    const port = await freePort();
    const waiting: (() => void)[] = [];
    const old = await startAt(
      '127.0.0.1',
      port,
      () => new Promise((resolve) => waiting.push(resolve)),
    );
    const current = await startAt('127.0.0.2', port);
    resolveTo('127.0.0.1');
    const gateway = await start(port, { connectionMaxAgeS: 60, connections: 2 });
    const write = writeTo(gateway);
    await expect.poll(() => waiting.length).toBe(1);
    resolveTo('127.0.0.2');
    vi.advanceTimersByTime(60_001);
    expect(await readFrom(gateway)).toBe('127.0.0.2');
    waiting[0]!();
    expect(await write).toBe('UpsertOrganizationPayload');
    expect([old.requests, current.requests]).toEqual([['POST'], ['GET']]);
  });
});

describe('a connection that the DMS closes while it is idle', () => {
  it('costs no write', async () => {
    const port = await freePort();
    const { server, requests, ports } = await startAt('127.0.0.1', port);
    resolveTo('127.0.0.1');
    const gateway = await start(port);
    for (let count = 0; count < 3; count += 1) {
      const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
      expect(await writeTo(gateway)).toBe('UpsertOrganizationPayload');
      server.closeIdleConnections();
      await closed;
    }
    expect(requests).toEqual(['POST', 'POST', 'POST']);
    expect(ports.size).toBe(3);
  });

  it('is not used for longer than the DMS says (Keep-Alive: timeout)', async () => {
    const port = await freePort();
    const { server, ports } = await startAt('127.0.0.1', port);
    server.keepAliveTimeout = 1000; // Node sends it as `timeout=1`, which is shorter than undici's margin
    resolveTo('127.0.0.1');
    const gateway = await start(port);
    expect(await writeTo(gateway)).toBe('UpsertOrganizationPayload');
    expect(await writeTo(gateway)).toBe('UpsertOrganizationPayload');
    expect(ports.size).toBe(2);
  });
});
