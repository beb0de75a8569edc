import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives to connections and to servers on port 0, which other tests use. */
const firstPort = 20_000;
const ports = 12_000;

/** Returns a port of 127.0.0.1 on which nothing listens, for a process that is started later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * ports);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
