import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { onTestFinished } from 'vitest';

/** Starts a token issuer, whose keys change. It is closed at the end of the test. */
export async function startKeyServer() {
  const keys = new Map<string, unknown>();
  let asked = 0;
  const answer = (res: ServerResponse): void => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ keys: [...keys.values()] }));
  };
  let listener: RequestListener = (_req, res) => answer(res);
  const server = createServer((req, res) => {
    asked += 1;
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}/keys`,
    /** Publishes a new key at the end of the set. @returns its private key */
    async add(kid: string, alg = 'ES256'): Promise<CryptoKey> {
      const pair = await generateKeyPair(alg, { extractable: true });
      keys.set(kid, { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' });
      return pair.privateKey;
    },
    /** Publishes any value as a key. */
    put: (kid: string, key: unknown) => void keys.set(kid, key),
    remove: (kid: string) => keys.delete(kid),
    answer,
    behave(instead: RequestListener) {
      listener = instead;
    },
    asked: () => asked,
  };
}
