import { getRequest, requestSubscription, type GraphQLTaggedNode } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../../helpers/gateway.ts';
import { blockOf } from '../../helpers/page-block.ts';
import { compileRelay, type RelayProject } from '../../third-party/relay-project.ts';
import * as apollo from '../../../examples/clients/subscriptions/apollo.ts';
import * as relay from '../../../examples/clients/subscriptions/relay.ts';
import * as urql from '../../../examples/clients/subscriptions/urql.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each test knows the shape of its result
type Data = any;

/** The sandbox's gateway, an inbox document, and a mutation that gives it a new revision. */
async function startSandboxed() {
  const gateway = await startGatewayOnSandbox();
  const { data } = await gateway.query(
    '{ documents(view: INBOX, first: 1) { nodes { id shortId meta { revision } } } }',
  );
  const [document] = data.documents.nodes;
  const change = async (): Promise<void> => {
    const input = { document: document.id, action: 'SUSPEND' };
    const { data: moved } = await gateway.query(
      'mutation ($input: MoveDocumentInput!) { moveDocument(input: $input) { __typename } }',
      { input },
    );
    expect(moved.moveDocument.__typename).toBe('MoveDocumentPayload');
  };
  const active = async (): Promise<string | undefined> =>
    /^gateway_subscriptions_active (.*)$/m.exec(await gateway.metrics.text())?.[1];
  return { gateway, url: `${gateway.url}/graphql`, document, change, active };
}

describe('Apollo Client', () => {
  it('subscribes over its own HttpLink', async () => {
    const { url, document, change, active } = await startSandboxed();
    const events: Data[] = [];
    const subscription = apollo
      .watchDocument(apollo.connect(url), document.id)
      .subscribe(({ data, error }) => events.push(error ?? (data as Data).documentChanged));
    await expect.poll(() => events).toMatchObject([document]);
    await change();
    await expect.poll(() => events).toHaveLength(2);
    expect(events[1].meta.revision).toBeGreaterThan(document.meta.revision);
    expect(await active()).toBe('1');
    subscription.unsubscribe();
    await expect.poll(active).toBe('0');
  });
});

describe('urql with graphql-sse', () => {
  it('subscribes to a view', async () => {
    const { url, document, change, active } = await startSandboxed();
    const events: Data[] = [];
    const { unsubscribe } = urql
      .watchInbox(urql.connect(url))
      .subscribe(({ data, error }) => events.push(error ?? data.documentsChanged));
    await expect.poll(() => events).toHaveLength(1);
    expect(events[0].added[0]).toMatchObject({ id: document.id });
    await change();
    await expect.poll(() => events).toHaveLength(2);
    const { changed, removedIds } = events[1];
    expect([...changed.map(({ id }: Data) => id), ...removedIds]).toContain(document.id);
    unsubscribe();
    await expect.poll(active).toBe('0');
  });
});

describe('Relay with graphql-sse', () => {
  let project: RelayProject;
  beforeAll(async () => {
    project = await compileRelay({ Watch: blockOf('subscriptions.md', 'relay-operation') });
  });
  afterAll(() => project.remove());

  it('subscribes to a document', async () => {
    const { url, document, change, active } = await startSandboxed();
    const events: Data[] = [];
    const { dispose } = requestSubscription(relay.connect(url), {
      subscription: getRequest(await project.load<GraphQLTaggedNode>('WatchSubscription')),
      variables: { id: document.id },
      onNext: (data: Data) => events.push(data.documentChanged),
      onError: (error) => events.push(error),
    });
    await expect.poll(() => events).toMatchObject([document]);
    await change();
    await expect.poll(() => events).toHaveLength(2);
    expect(events[1].meta.revision).toBeGreaterThan(document.meta.revision);
    dispose();
    await expect.poll(active).toBe('0');
  });
});
