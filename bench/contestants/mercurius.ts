/** Mercurius in an optimized configuration: compiled queries, an undici pool, and each GET once per request. */
import Fastify from 'fastify';
import { GraphQLUpload } from 'graphql-upload-minimal';
import mercurius from 'mercurius';
import { Pool } from 'undici';

import { PATHS, identityOf, settings } from './shared/dms.ts';
import type { PeerContext } from './shared/dms.ts';
import { acceptUploads } from './shared/fastify.ts';
import { createPoolDms } from './shared/pool-dms.ts';
import { RESOLVERS } from './shared/resolvers.ts';
import { TYPE_DEFS } from './shared/schema.ts';

const { port, upstream } = settings();
const pool = new Pool(upstream, { connections: 128 });
const app = Fastify({ keepAliveTimeout: 120_000 });

acceptUploads(app);
await app.register(mercurius.default, {
  schema: TYPE_DEFS,
  resolvers: { ...RESOLVERS, Upload: GraphQLUpload } as never,
  jit: 1,
  context: (request): PeerContext => ({ dms: createPoolDms(pool, identityOf(request.headers)) }),
});

app.get('/files/documents/:document/:file', async (request, reply) => {
  const { document, file } = request.params as { document: string; file: string };
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path: PATHS.file(document, file),
    headers: { ...identityOf(request.headers) },
  });
  return reply
    .code(statusCode)
    .headers({
      'content-type': headers['content-type'],
      'content-length': headers['content-length'],
      'content-disposition': headers['content-disposition'],
    })
    .send(body);
});

await app.listen({ port, host: '127.0.0.1' });
