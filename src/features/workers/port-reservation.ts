import { hash } from 'node:crypto';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { nodeCodeOf } from '../../model/common.ts';

/** Where workers listen. */
export interface Address {
  readonly host: string;
  /** 0 selects a free port, the same for all workers. */
  readonly port: number;
}

/** A port that no other process takes. */
export type PortReservation = Awaited<ReturnType<typeof reservePort>>;

/**
 * Checks that the port is available, before any process is started, and reserves it.
 *
 * @throws if the port is not available, or if processes cannot share one on this system
 */
export async function reservePort({ host, port }: Address) {
  const unlock = port === 0 ? () => {} : await lockPort(host, port);
  try {
    // Sharing succeeds even if another gateway shares the same port. Listening exclusively detects that.
    if (port !== 0) (await listenOn({ host, port })).close();
    const server = await listenOn({ host, port, reusePort: true }).catch((error: unknown) => {
      if (nodeCodeOf(error) !== 'ENOTSUP') throw error;
      throw new Error('WORKERS must be 1: on this system, processes cannot share a port', {
        cause: error,
      });
    });
    const release = (): void => void server.close();
    // A port that was selected here stays reserved. No client knows it yet, so none connects.
    if (port !== 0) release();
    const address = server.address();
    const selected = typeof address === 'object' && address !== null ? address.port : port;
    /** `release` is called when the workers listen, `unlock` when no further worker will be started. */
    return { port: selected, release, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Until the first worker listens, another gateway that starts at the same time would also find the port unused. A name
 * in the abstract namespace of Linux belongs to one process, and to none when that has ended.
 *
 * @returns a function that releases the name; it does nothing on systems without such names
 * @throws if another gateway has it
 */
async function lockPort(host: string, port: number): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const path = `\0dms-graphql-gateway:${hash('sha256', `${host}:${port}`)}`;
  try {
    const lock = (await listenOn({ path })).unref();
    return () => void lock.close();
  } catch (cause) {
    const code = nodeCodeOf(cause);
    if (code !== 'EADDRINUSE') return () => {};
    const message = `listen EADDRINUSE: address already in use ${host}:${port}`;
    throw Object.assign(new Error(message, { cause }), { code });
  }
}

function listenOn(options: ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(options, () => resolve(server));
  });
}
