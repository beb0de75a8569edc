/** Apollo Server on fastify with RESTDataSource: deduplicated GET requests and a bounded keep-alive pool. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { RESTDataSource } from '@apollo/datasource-rest';
import type { AugmentedRequest, DataSourceConfig } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from '@as-integrations/fastify';
import Fastify from 'fastify';
import { GraphQLUpload } from 'graphql-upload-minimal';
import { Agent, fetch } from 'undici';

import { PATHS, identityOf, settings } from './shared/dms.ts';
import type { Dms, Identity, PeerContext, UploadedFile } from './shared/dms.ts';
import { acceptUploads } from './shared/fastify.ts';
import { multipartBody } from './shared/multipart.ts';
import { queryOf } from './shared/selection.ts';
import type { Selection } from './shared/selection.ts';
import { RESOLVERS } from './shared/resolvers.ts';
import { TYPE_DEFS } from './shared/schema.ts';
import type { Page, WireDocument, WireListValue, WirePerson } from './shared/wire.ts';

const { port, upstream } = settings();
const dispatcher = new Agent({ connections: 128 });

/** undici's fetch is faster than node-fetch, the default of the data source. */
const pooledFetch = ((url: string, init: object) =>
  fetch(url, { ...init, dispatcher, duplex: 'half' })) as unknown as NonNullable<
  DataSourceConfig['fetch']
>;

class DmsSource extends RESTDataSource implements Dms {
  readonly #identity: Identity;

  constructor(identity: Identity) {
    super({ fetch: pooledFetch });
    this.baseURL = upstream;
    this.#identity = identity;
  }

  protected override willSendRequest(_path: string, request: AugmentedRequest): void {
    request.headers['authorization'] = this.#identity.authorization;
    request.headers['svc-run-as'] = this.#identity['svc-run-as'];
  }

  /** Responses are read-only, so the data source need not copy them for each reader. */
  protected override cloneParsedBody<T>(parsed: T): T {
    return parsed;
  }

  document(id: string, wanted: Selection): Promise<WireDocument> {
    return this.get(PATHS.document(id, queryOf(wanted)));
  }

  async inView(view: string, first: number, wanted: Selection): Promise<Page> {
    const path = PATHS.view(view, first, queryOf(wanted));
    const { parsedBody, response } = await this.fetch<WireDocument[]>(path, { method: 'GET' });
    return { documents: parsedBody, total: Number(response.headers.get('svc-total-count')) };
  }

  person(id: string): Promise<WirePerson> {
    return this.get(PATHS.person(id));
  }

  listValue(id: string): Promise<WireListValue> {
    return this.get(PATHS.listValue(id));
  }

  async respond(document: string, response: string, body: object): Promise<void> {
    await this.put(PATHS.response(document, response), { body });
  }

  create(form: string, files: readonly UploadedFile[]): Promise<WireDocument> {
    const { contentType, body } = multipartBody(files);
    return this.post(PATHS.create(form), {
      headers: { 'content-type': contentType },
      body: Readable.from(body, { objectMode: false }),
    });
  }
}

const app = Fastify({ keepAliveTimeout: 120_000 });
const server = new ApolloServer<PeerContext>({
  typeDefs: TYPE_DEFS,
  resolvers: { ...RESOLVERS, Upload: GraphQLUpload } as never,
  plugins: [fastifyApolloDrainPlugin(app)],
});
await server.start();

acceptUploads(app);
app.route({
  url: '/graphql',
  method: ['GET', 'POST'],
  handler: fastifyApolloHandler(server, {
    context: async (request) => ({ dms: new DmsSource(identityOf(request.headers)) }),
  }),
});

app.get('/files/documents/:document/:file', async (request, reply) => {
  const { document, file } = request.params as { document: string; file: string };
  const answer = await fetch(upstream + PATHS.file(document, file), {
    headers: { ...identityOf(request.headers) },
    dispatcher,
  });
  for (const name of ['content-type', 'content-length', 'content-disposition']) {
    reply.header(name, answer.headers.get(name));
  }
  return reply.code(answer.status).send(Readable.fromWeb(answer.body as ReadableStream));
});

await app.listen({ port, host: '127.0.0.1' });
