import { readFile } from 'node:fs/promises';
import { CombinedGraphQLErrors, NetworkStatus } from '@apollo/client';
import {
  createOperationDescriptor,
  getFragment,
  getRequest,
  getSingularSelector,
  type ConcreteRequest,
  type ReaderFragment,
} from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import * as apollo from '../../../examples/clients/incremental/apollo.ts';
import * as relay from '../../../examples/clients/start/relay.ts';
import * as urql from '../../../examples/clients/incremental/urql.ts';
import { compileRelay, type RelayProject } from '../../third-party/relay-project.ts';
import { idOf } from '../../helpers/documents-dms.ts';

const id = idOf(1);

/** A document with a text and three references; `text` is called for the text, which fails if it throws. */
async function start(
  text: () => Promise<string> = async () => 'Dear Sir',
  options: TestGatewayOptions = {},
) {
  const gateway = await startGateway(options);
  const { dms } = gateway;
  for (const n of [1, 2, 3, 4]) {
    dms.reply('GET', `/api/v2/docForm/${idOf(n)}`, {
      _id: idOf(n),
      _id_web: `DOC-${n}`,
      refByDocs: [2, 3, 4].map(idOf),
    });
  }
  dms.reply('GET', `/api/v2/idp/${id}/text`, text, { headers: { 'content-type': 'text/plain' } });
  return { ...gateway, endpoint: `${gateway.url}/graphql` };
}

type Gateway = Awaited<ReturnType<typeof start>>;

/** The same without the directives, as JSON. */
async function wholeResult({ query }: Gateway): Promise<unknown> {
  const { data } = await query(
    `{ document(id: "${id}") { id shortId recognizedText { text } refByDocs { nodes { id shortId } } } }`,
  );
  return data;
}

/** Without what clients add. */
const plain = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)));

/** A text that fails, as the DMS breaks the connection. */
const failing = async (): Promise<string> => {
  throw new Error('broken');
};

interface Emitted {
  readonly data: unknown;
  readonly errors: readonly object[];
}

let project: RelayProject;

beforeAll(async () => {
  const path = new URL('relay/DocumentDetails.graphql', import.meta.url);
  project = await compileRelay({ DocumentDetails: await readFile(path, 'utf8') });
});

afterAll(() => project.remove());

/** Each client emits what it holds after each part. */
const clients: Record<string, (endpoint: string) => Promise<Emitted[]>> = {
  apollo: (endpoint) =>
    new Promise((resolve, reject) => {
      const emitted: Emitted[] = [];
      apollo.watchDocument(apollo.connect(endpoint), id).subscribe({
        error: reject,
        next: ({ data, error, networkStatus }) => {
          if (networkStatus === NetworkStatus.loading) return;
          emitted.push({ data, errors: CombinedGraphQLErrors.is(error) ? error.errors : [] });
          if (networkStatus !== NetworkStatus.streaming) resolve(emitted);
        },
      });
    }),
  urql: (endpoint) =>
    new Promise((resolve) => {
      const emitted: Emitted[] = [];
      urql.watchDocument(urql.connect(endpoint), id).subscribe(({ data, error, hasNext }) => {
        emitted.push({ data, errors: error?.graphQLErrors ?? [] });
        if (!hasNext) resolve(emitted);
      });
    }),
  relay: async (endpoint) => {
    const environment = relay.createClient(endpoint);
    const query = await project.load<ConcreteRequest>('DocumentDetailsQuery');
    const text = getFragment(await project.load<ReaderFragment>('DocumentDetails_text'));
    const operation = createOperationDescriptor(getRequest(query), { id });
    const read = (): unknown => {
      const { document } = environment.lookup(operation.fragment).data as { document: object };
      const { __id, __fragments, __fragmentOwner, ...own } = document as Record<string, unknown>;
      const selector = getSingularSelector(text, document);
      const { data, isMissingData } = environment.lookup(selector);
      return { document: isMissingData ? own : { ...own, ...data } };
    };
    const emitted: Emitted[] = [];
    await new Promise<void>((resolve, reject) => {
      environment.execute({ operation }).subscribe({
        complete: resolve,
        error: reject,
        next: (response) => {
          const errors = [response].flat().flatMap((one) => ('errors' in one && one.errors) || []);
          emitted.push({ data: read(), errors });
        },
      });
    });
    return emitted;
  },
};

describe.each(Object.entries(clients))('%s', (_, run) => {
  it('shows the first part before the slow one, and the whole result in the end', async () => {
    const first = Promise.withResolvers<void>();
    const gateway = await start(async () => {
      first.resolve();
      return 'Dear Sir';
    });
    const emitted = await run(gateway.endpoint);
    await first.promise;
    expect(plain(emitted[0]!.data)).toEqual({
      document: expect.objectContaining({
        shortId: 'DOC-1',
        refByDocs: { nodes: [expect.objectContaining({ shortId: 'DOC-2' })] },
      }),
    });
    expect(JSON.stringify(emitted[0]!.data)).not.toContain('Dear Sir');
    expect(plain(emitted.at(-1)!.data)).toEqual(await wholeResult(gateway));
    expect(emitted.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('keeps what came when a part fails, and gets its error with the code', async () => {
    const gateway = await start(failing);
    const emitted = await run(gateway.endpoint);
    expect(plain(emitted.at(-1)!.data)).toEqual(await wholeResult(gateway));
    expect(emitted.flatMap(({ errors }) => errors)).toContainEqual(
      expect.objectContaining({
        path: ['document', 'recognizedText'],
        extensions: expect.objectContaining({
          code: 'UPSTREAM_UNAVAILABLE',
          requestId: expect.any(String),
        }),
      }),
    );
  });
});
