import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { SignJWT } from 'jose';
import { commentsSdl, commentsServer } from './comments.ts';

/*
 * Starts the gateway on its sandbox, the subgraph of comments, and Hive Gateway in front of both on PORT (default 4000).
 * Prints a bearer token for each of two users. SIGINT and SIGTERM stop everything.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const secret = randomBytes(32).toString('base64url');

const gatewayUrl = await startGateway();
const commentsUrl = await listen(commentsServer);
const supergraph = compose(gatewayUrl, `${commentsUrl}/graphql`);

const router = createGatewayRuntime({
  supergraph,
  logging: false,
  propagateHeaders: {
    // Each user's own token: the router has no rights of its own.
    fromClientToSubgraphs: ({ request }) => {
      const names = ['authorization', 'accept-language'];
      return Object.fromEntries(
        names.flatMap((name) => {
          const value = request.headers.get(name);
          return value === null ? [] : [[name, value]];
        }),
      );
    },
  },
});
const url = await listen(router, Number(process.env['PORT'] ?? 4000));

process.stdout.write(`Router: ${url}/graphql\n`);
for (const user of ['ann', 'bob']) {
  process.stdout.write(`${user}: Authorization: Bearer ${await tokenOf(user)}\n`);
}

/** Starts the gateway as a process of its own. Both end together. Resolves with its URL when it accepts requests. */
function startGateway(): Promise<string> {
  const child = spawn(process.execPath, ['src/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      FEDERATION: 'on',
      INTROSPECTION: 'off',
      PLAYGROUND: 'off',
      IDENTITY: 'jwt',
      JWT_SECRET: secret,
      LOG_LEVEL: 'warn',
    },
  });
  // Without them, a failure or a signal from here on leaves the gateway running, which locks its data directory.
  process.once('exit', () => child.kill());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill());
  child.once('exit', (code) => process.exit(code ?? 1));
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const [, found] = /"GraphQL gateway":"([^"]+)"/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

/** The supergraph SDL, from the printed schema of each subgraph. */
function compose(gatewayUrl: string, commentsUrl: string): string {
  const documents = readFileSync(`${root}schema.federation.graphql`, 'utf8');
  const { supergraphSdl, errors } = composeServices([
    { name: 'documents', url: gatewayUrl, typeDefs: parse(documents) },
    { name: 'comments', url: commentsUrl, typeDefs: parse(commentsSdl) },
  ]);
  if (supergraphSdl !== undefined) return supergraphSdl;
  throw new Error(errors?.map(({ message }) => message).join('\n'));
}

async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A token as an identity provider would issue it. */
function tokenOf(user: string): Promise<string> {
  return new SignJWT({ email: `${user}@example.com` })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('8h')
    .sign(new TextEncoder().encode(secret));
}
