import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { describe, onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

const isInstalled = spawnSync('redis-server', ['--version']).error === undefined;

if (!isInstalled) {
  const message = 'redis-server is not installed (apt-get install redis-server)';
  if (process.env['CI']) throw new Error(message);
  process.stdout.write(`\nThe tests of Redis are skipped: ${message}\n`);
}

/** Tests that need Debian's redis-server. Without one they are skipped, and say so; with CI set, that is an error. */
// oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- not a suite, but what makes one
export const describeWithRedis = describe.runIf(isInstalled);

export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Runs redis-cli; what it prints. */
  cli(...args: readonly string[]): string;
  /** Sends a signal to the server, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
}

/** A Redis that keeps nothing on disk; it is killed when the test ends. */
export async function startRedis(
  options: { readonly port?: number; readonly args?: readonly string[] } = {},
): Promise<TestRedis> {
  const port = options.port ?? (await freePort());
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...(options.args ?? [])],
    { cwd: '/tmp', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const exited = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error('redis-server ended')));
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('Ready to accept connections')) resolve();
    });
  });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cli: (...args) =>
      execFileSync('redis-cli', ['-p', String(port), ...args], { stdio: 'pipe' })
        .toString()
        .trim(),
    signal: (signal) => void child.kill(signal),
  };
}

/** A client of its own, for what `cli` cannot do: binary values. It is closed when the test ends. */
export function redisClient({ port }: TestRedis): Redis {
  const client = new Redis(port, '127.0.0.1');
  onTestFinished(() => client.disconnect());
  return client;
}

export interface RedisProxy {
  readonly url: string;
  /** While true, nothing that either side sends goes on. It is lost, and set to false the connections are as well. */
  isHeld: boolean;
  /** The commands that clients have sent while `isHeld` was true, as bytes. */
  readonly lost: string;
  /** The port of the server that further connections reach. The present ones stay with theirs. */
  target: number;
}

/** Stands between a gateway and Redis. */
export async function startRedisProxy(redisPort: number): Promise<RedisProxy> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let lost = '';
  let target = redisPort;
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => {});
    from.on('close', () => to.destroy());
    from.on('data', (chunk) => {
      if (!isHeld) to.write(chunk);
    });
  };
  const server = await listening(
    createServer((client) => {
      const redis = connect(target, '127.0.0.1');
      client.on('data', (chunk) => {
        if (isHeld) lost += String(chunk);
      });
      forward(client, redis);
      forward(redis, client);
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lost() {
      return lost;
    },
    get target() {
      return target;
    },
    set target(port) {
      target = port;
    },
    get isHeld() {
      return isHeld;
    },
    set isHeld(value) {
      isHeld = value;
      if (!value) for (const socket of sockets) socket.destroy();
    },
  };
}

/** Like a virtual address that moves from a server that has stopped responding to another one. */
export interface RedisFailover {
  readonly url: string;
  /** No response arrives on the present connections any more, and nothing closes them. New ones reach Redis. */
  switchOver(): void;
}

/** Connections are accepted, and never answered before the first `switchOver`. */
export async function startRedisFailover(redisPort: number): Promise<RedisFailover> {
  const sockets = new Set<Socket>();
  let target: number | null = null;
  const server = await listening(
    createServer({ allowHalfOpen: true }, (client) => {
      sockets.add(client.on('error', () => {}).resume());
      if (target === null) return;
      const redis = connect(target, '127.0.0.1');
      sockets.add(redis.on('error', () => {}));
      client.pipe(redis, { end: false });
      redis.pipe(client, { end: false });
      client.once('close', () => redis.destroy());
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switchOver() {
      for (const socket of sockets) socket.unpipe();
      target = redisPort;
    },
  };
}

/** Answers every command with the same bytes, such as `-LOADING …\r\n`. Null closes the connection. */
export async function startFailingRedis(reply: string | null): Promise<string> {
  const sockets = new Set<Socket>();
  const server = await listening(
    createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        const commands = String(chunk).match(/^\*\d+\r$/gm)?.length ?? 0;
        if (reply === null) socket.end();
        else socket.write(reply.repeat(commands));
      });
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
