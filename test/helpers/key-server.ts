import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { onTestFinished } from 'vitest';

/** RSA keys take long to generate: each ID has one pair in this process. */
const pairs = new Map<string, ReturnType<typeof generateKeyPair>>();

function pairOf(kid: string, alg: string): ReturnType<typeof generateKeyPair> {
  const pair = pairs.get(`${kid} ${alg}`) ?? generateKeyPair(alg, { extractable: true });
  pairs.set(`${kid} ${alg}`, pair);
  return pair;
}

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
    /** Publishes the key of this ID at the end of the set. @returns its private key */
    async add(kid: string, alg = 'ES256'): Promise<CryptoKey> {
      const pair = await pairOf(kid, alg);
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
