import type { FastifyInstance, FastifyRequest } from 'fastify';
import { processRequest } from 'graphql-upload-minimal';

const ONE_GIB = 2 ** 30;

/** Multipart GraphQL requests with file streams on fastify, as its documentation describes, without a plugin. */
export function acceptUploads(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.addHook('preValidation', async (request: FastifyRequest, reply) => {
    if (request.headers['content-type']?.startsWith('multipart/form-data') !== true) return;
    request.body = await processRequest(request.raw, reply.raw, {
      maxFileSize: ONE_GIB,
      maxFiles: 20,
    });
  });
}
