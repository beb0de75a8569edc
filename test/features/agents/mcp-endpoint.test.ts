import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client';
import type { ExecutionArgs } from 'graphql';
import { describe, expect, it } from 'vitest';
import { advice } from '../../../src/features/agents/advice.ts';
import { badInput } from '../../../src/schema/graphql-error.ts';
import { fakeTimers, whileTimePasses } from '../../helpers/fake-timers.ts';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { jwtIdentity, tokenWith } from '../../helpers/jwt.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';
import { connectMcp, type Revision } from './mcp-client.ts';

const person = `# Reads a person.
query Person($id: ID = "usr-ann") { person(id: $id) { email } }`;
const rename = `"""Renames a person."""
mutation Rename($input: UpdatePersonInput!) {
  updatePerson(input: $input) { __typename ... on UpdatePersonPayload { person { email deputy { person { email } } } } ... on Error { message } }
}`;
const inbox = `# Lists the inbox.
query Inbox($first: Int = 2) { documents(view: INBOX, first: $first) { nodes { shortId values { tag } } } }`;
const respond = `# Approves documents.
mutation Approve($items: [RespondToDocumentInput!]!) {
  respondToDocuments(input: { responses: $items }) {
    results { __typename ... on RespondToDocumentPayload { document { shortId } } }
  }
}`;
const none = '{ viewer { runAs } }';

/** Starts a gateway with these documents as tools. */
async function start(
  { server, ...options }: TestGatewayOptions = {},
  documents: Record<string, string> = { person, rename, inbox },
) {
  const persistedDocuments = writeManifest(documents);
  return startGateway({ ...options, server: { mcp: true, persistedDocuments, ...server } });
}

type Gateway = Awaited<ReturnType<typeof start>>;

const ann = { _id_sys: 'usr-ann', email: 'ann@example.com' };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** Sends a message without a client library. */
function post(
  gateway: Gateway,
  message: unknown = listTools,
  headers: Record<string, string> = {},
) {
  return postText(gateway, JSON.stringify(message), headers);
}

function postText(gateway: Gateway, body: string, headers: Record<string, string> = {}) {
  return gateway.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
}

const requestsIn = (gateway: Gateway) =>
  gateway.log.filter(({ msg, operation }) => msg === 'request' && operation !== undefined);

describe.each<Revision>(['modern', 'legacy'])('a client of a %s revision', (revision) => {
  it('calls tools with structured results', async () => {
    const gateway = await start();
    gateway.dms.reply('GET', '/api/v2/person/usr-bob', { ...ann, email: 'bob@example.com' });
    const client = await connectMcp(gateway.url, {}, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['Person', 'Rename', 'Inbox']);

    const result = await client.callTool({ name: 'Person', arguments: { id: 'usr-bob' } });
    const expected = { data: { person: { email: 'bob@example.com' } } };
    expect(result.structuredContent).toEqual(expected);
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(expected) }]);
    expect(result.isError).toBeUndefined();
  });

  it('ends its upstream requests when it leaves', async () => {
    const gateway = await start();
    const asked = Promise.withResolvers<void>();
    gateway.dms.reply('GET', /person/, () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const client = await connectMcp(gateway.url, {}, revision);
    const call = client.call('Person');
    await asked.promise;
    await Promise.all([client.close(), expect(call).rejects.toThrow('Connection closed')]);
    await expect
      .poll(() => requestsIn(gateway))
      .toMatchObject([{ kind: 'mcp', operation: 'Person', outcome: 'CANCELLED' }]);
    const inFlight = async () =>
      /gateway_upstream_calls_in_flight (\d+)/.exec(await gateway.metrics.text())?.[1];
    await expect.poll(inFlight).toBe('0');
  });
});

describe('a call of a tool', () => {
  it('is an operation for plugins, log and metrics', async () => {
    const seen: unknown[] = [];
    const plugin = {
      onExecute: ({ args }: { args: ExecutionArgs }) => void seen.push(args.variableValues),
    };
    const gateway = await start({ parts: { plugins: [plugin] } });
    gateway.dms.reply('GET', /person/, ann);
    const client = await connectMcp(gateway.url);
    await client.call('Person', { id: 'usr-ann' });
    expect(seen).toEqual([{ id: 'usr-ann' }]);
    await expect
      .poll(() => requestsIn(gateway))
      .toMatchObject([
        { kind: 'mcp', operation: 'Person', type: 'query', calls: 1, outcome: 'OK', status: 200 },
      ]);
    expect(await gateway.metrics.text()).toContain(
      'gateway_requests_total{type="query",operation="Person",outcome="OK"} 1',
    );
  });

  it('works if only trusted documents are executed', async () => {
    const gateway = await start({ server: { persistedOnly: true } });
    gateway.dms.reply('GET', /person/, ann);
    const client = await connectMcp(gateway.url);
    expect(await client.call('Person')).toMatchObject({ data: { person: { email: ann.email } } });
  });

  it('says whether it was executed if a plugin never returns or fails', async () => {
    fakeTimers('performance', 'setTimeout');
    let hanging = Promise.withResolvers<void>();
    const hang = (): Promise<never> => {
      hanging.resolve();
      return new Promise(() => {});
    };
    const input = { id: 'usr-ann', lastName: 'Ann' };
    for (const [plugin, tool, args, code] of [
      [{ onParams: hang }, 'Rename', { input }, 'UPSTREAM_TIMEOUT'],
      [{ onExecute: () => ({ onExecuteDone: hang }) }, 'Person', {}, 'UPSTREAM_TIMEOUT'],
      [{ onExecute: () => ({ onExecuteDone: hang }) }, 'Rename', { input }, 'OUTCOME_UNKNOWN'],
      [{ onRequest: () => Promise.reject(badInput('No.')) }, 'Person', {}, 'BAD_USER_INPUT'],
      [{ onRequest: () => Promise.reject(new Error()) }, 'Person', {}, 'INTERNAL_SERVER_ERROR'],
    ] as const) {
      const gateway = await start({
        server: { requestTimeoutMs: 1000 },
        parts: { plugins: [plugin] },
      });
      gateway.dms.reply('GET', /person/, ann).reply('PUT', /person/, ann);
      const client = await connectMcp(gateway.url);
      hanging = Promise.withResolvers();
      const result = client.call(tool, args);
      await Promise.race([hanging.promise, result]);
      expect(await whileTimePasses(result)).toMatchObject({
        isError: true,
        errors: [{ code, action: advice[code] }],
      });
      await expect.poll(() => gateway.log.at(-1)).toMatchObject({ msg: 'request', outcome: code });
    }
  });

  it.each([
    { args: { id: 7.5 }, message: /\$id.*ID cannot represent/ },
    { args: { ID: 'usr-ann' }, message: '"ID" is not an argument. Arguments: id.' },
  ])('with the arguments $args is not executed', async ({ args, message }) => {
    const gateway = await start();
    const client = await connectMcp(gateway.url);
    expect(await client.call('Person', args)).toMatchObject({
      isError: true,
      data: null,
      errors: [
        {
          code: 'BAD_USER_INPUT',
          message: typeof message === 'string' ? message : expect.stringMatching(message),
          retryable: false,
          action: 'Correct the arguments as the message says, then call again.',
        },
      ],
    });
    expect(gateway.dms.requests).toEqual([]);
  });

  it('with the argument __proto__ is not executed', async () => {
    const gateway = await start();
    const params = { name: 'Person', arguments: JSON.parse('{"__proto__":{"id":"usr-bob"}}') };
    const response = await post(gateway, { ...listTools, method: 'tools/call', params });
    expect(await response.text()).toMatch(/__proto__\S* is not an argument/);
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each([[['usr-ann']], ['usr-ann'], [7]])(
    'with the arguments %j is not executed',
    async (args) => {
      const gateway = await start();
      const params = { name: 'Person', arguments: args };
      const response = await post(gateway, { ...listTools, method: 'tools/call', params });
      expect(await response.text()).toContain('`arguments` must be an object.');
      expect(gateway.dms.requests).toEqual([]);
    },
  );

  it.each([
    ['without plugins', []],
    ['with a plugin that sees HTTP', [{ onRequest() {} }]],
  ])(
    'with arguments that cannot be repeated as JSON is not executed, %s',
    async (_what, plugins) => {
      const gateway = await start({ parts: { plugins } });
      const message = JSON.stringify({
        ...listTools,
        method: 'tools/call',
        params: { name: 'Person', arguments: { id: 0 } },
      });
      for (const [id, error] of [
        ['['.repeat(8000) + ']'.repeat(8000), 'more than 100 levels of nesting'],
        ['1e400', 'Infinity'],
      ] as const) {
        const response = await postText(gateway, message.replace('{"id":0}', `{"id":${id}}`));
        expect(await response.text()).toContain(error);
      }
      expect(gateway.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
      expect(gateway.dms.requests).toEqual([]);
    },
  );

  it('fails for an unknown tool', async () => {
    const gateway = await start();
    const client = await connectMcp(gateway.url);
    await expect(client.call('graphql', { query: none })).rejects.toThrow('no tool');
  });

  it.each([
    {
      status: 403,
      code: 'FORBIDDEN',
      retryable: false,
      action: 'Stop. The user is not allowed to do this.',
    },
    {
      status: 503,
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
      action: 'Wait for some seconds, then call again.',
    },
  ])('says what to do after $status', async ({ status, code, retryable, action }) => {
    const gateway = await start();
    gateway.dms.reply('GET', /person/, 'secret of the DMS', { status });
    const client = await connectMcp(gateway.url);
    const result = await client.call('Person');
    expect(result).toMatchObject({
      isError: true,
      errors: [{ code, retryable, action, path: ['person'], requestId: expect.any(String) }],
    });
    expect(JSON.stringify(result)).not.toContain('secret of the DMS');
  });

  it('is never repeated if the outcome of a write is unknown', async () => {
    const gateway = await start();
    gateway.dms.reply('POST', '/api/v2/person', () => {
      throw new Error('the connection breaks');
    });
    const client = await connectMcp(gateway.url);
    const input = { id: 'usr-ann', firstName: 'Ann' };
    expect(await client.call('Rename', { input })).toMatchObject({
      isError: true,
      errors: [
        {
          code: 'OUTCOME_UNKNOWN',
          retryable: false,
          action: expect.stringMatching(/^Never repeat this call/),
        },
      ],
    });
    expect(gateway.dms.requests).toHaveLength(1);
  });

  it('is not repeated if only the read after a write failed', async () => {
    const gateway = await start();
    const deputy = { id: 'usr-bob', enabled: 'true' };
    gateway.dms.reply('POST', '/api/v2/person', { ...ann, deputy });
    gateway.dms.reply('GET', /person/, '', { status: 503 });
    const client = await connectMcp(gateway.url);
    const input = { id: 'usr-ann', firstName: 'Ann' };
    expect(await client.call('Rename', { input })).toMatchObject({
      isError: false,
      data: { updatePerson: { person: { email: ann.email, deputy: { person: null } } } },
      errors: [{ retryable: false, action: expect.stringMatching(/^Do not repeat the call/) }],
    });
  });

  it('returns the rest if more parts failed than are shown', async () => {
    const gateway = await start(
      {},
      {
        authors:
          '# Authors.\nquery Authors { documents(first: 102) { nodes { author { displayName } } } }',
      },
    );
    const documents = Array.from({ length: 102 }, (_, at) => ({
      _id: `65f0000000000000000${String(at).padStart(5, '0')}`,
      author: `usr-${at}`,
    }));
    gateway.dms.reply('GET', /docForm.*first=0/, documents.slice(0, 100));
    gateway.dms.reply('GET', /docForm.*first=100/, documents.slice(100));
    gateway.dms.reply('GET', /person/, '', { status: 403 });
    const client = await connectMcp(gateway.url);
    const { isError, errors } = await client.call('Authors');
    expect(isError).toBe(false);
    expect(errors.at(-1)).toMatchObject({ message: '2 more errors are not shown.' });
  });

  it('has the limits of any operation', async () => {
    const gateway = await start({ server: { maxUpstreamCalls: 1 } });
    const client = await connectMcp(gateway.url);
    expect(await client.call('Inbox', { first: 500 })).toMatchObject({
      isError: true,
      errors: [
        { code: 'UPSTREAM_BUDGET_EXCEEDED', action: 'Ask for fewer items, then call again.' },
      ],
    });
    expect(gateway.dms.requests).toEqual([]);
  });
});

describe('a huge result', () => {
  const values = Array.from({ length: 3000 }, (_, at) => ({ tag: `tag-${at}-${'x'.repeat(20)}` }));

  it('of a query is an error', async () => {
    const gateway = await start();
    const document = { _id: '65f000005eed00d000000001', _id_web: 'DOC-1', valuesByTags: {} };
    gateway.dms.reply('GET', /docForm/, [
      { ...document, valuesByTags: Object.fromEntries(values.map(({ tag }) => [tag, 'x'])) },
    ]);
    const client = await connectMcp(gateway.url);
    expect(await client.call('Inbox')).toMatchObject({
      isError: true,
      data: null,
      errors: [
        {
          code: 'BAD_USER_INPUT',
          message: 'The result is too large: it can have 65536 bytes. Ask for fewer items.',
          retryable: false,
        },
      ],
    });
  });

  it('of a mutation says that it was executed', async () => {
    const gateway = await start({}, { respond });
    gateway.dms.reply('PUT', /docResponse/, {});
    gateway.dms.reply('GET', /docForm/, {
      _id: '65f000005eed00d000000001',
      _id_web: 'x'.repeat(70_000),
      docResponse: { _id: '65f000005eed00d000000002' },
    });
    const client = await connectMcp(gateway.url);
    const items = [{ document: 'DOC-1', action: 'APPROVE' }];
    const result = await client.call('Approve', { items });
    expect(result).toMatchObject({
      isError: true,
      data: null,
      errors: [{ retryable: false, action: expect.stringMatching(/^Do not repeat the call/) }],
    });
  });
});

describe('the identity of an agent', () => {
  const identity = { ...jwtIdentity, issuer: 'https://id.example', audience: 'https://x/mcp' };
  const claims = { email: 'ann@example.com', iss: identity.issuer, aud: identity.audience };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('decides what it sees', async () => {
    const gateway = await start({ server: { identity } });
    gateway.dms.reply('GET', /person/, ({ headers }) => ({
      ...ann,
      email: `seen by ${headers['svc-run-as']}`,
    }));
    const users = ['ann@example.com', 'bob@example.com'];
    const seen = await Promise.all(
      users.map(async (email) => {
        const token = await tokenWith({ ...claims, email });
        const client = await connectMcp(gateway.url, bearer(token));
        return (await client.call('Person')).data.person.email;
      }),
    );
    expect(seen).toEqual(['seen by ann@example.com', 'seen by bob@example.com']);
  });

  it.each([
    {
      name: 'a token for another audience',
      aud: 'https://other.example',
      prefix: 'error="invalid_token", ',
    },
    { name: 'no token', aud: null, prefix: '' },
  ])('is missing with $name, and 401 leads to the issuer', async ({ aud, prefix }) => {
    const gateway = await start({ server: { identity } });
    const headers = aud === null ? {} : bearer(await tokenWith({ ...claims, aud }));
    await expect(connectMcp(gateway.url, headers)).rejects.toThrow('HTTP 401');
    const response = await post(gateway, listTools, headers);
    expect(response.status).toBe(401);
    const metadataUrl = `${gateway.url}/.well-known/oauth-protected-resource`;
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer ${prefix}resource_metadata="${metadataUrl}"`,
    );
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    // Clients without the header insert the path of the resource.
    for (const options of [{ resourceMetadataUrl: resourceMetadataUrl! }, {}]) {
      const metadata = await discoverOAuthProtectedResourceMetadata(`${gateway.url}/mcp`, options);
      expect(metadata).toEqual({
        resource: `${gateway.url}/mcp`,
        authorization_servers: ['https://id.example'],
        bearer_methods_supported: ['header'],
      });
    }
    expect(gateway.dms.requests).toEqual([]);
  });

  it('uses the public URL in its metadata', async () => {
    const gateway = await start({ server: { identity, publicUrl: 'https://docs.example/api' } });
    const response = await post(gateway);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer resource_metadata="https://docs.example/api/.well-known/oauth-protected-resource"',
    );
  });

  it('has no metadata without tokens of an issuer', async () => {
    const gateway = await start();
    const response = await gateway.fetch('/.well-known/oauth-protected-resource');
    expect(response.status).toBe(404);
  });
});

describe('/mcp', () => {
  it.each([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://app.example' }, // in CORS_ORIGINS
  ])('rejects pages of other origins: %o', async (headers) => {
    const gateway = await start({ server: { corsOrigins: ['https://app.example'] } });
    const response = await post(gateway, listTools, headers);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('counts what is not the protocol as a failure', async () => {
    const gateway = await start();
    expect((await post(gateway, {})).status).toBe(400);
    await expect
      .poll(() => gateway.log)
      .toMatchObject([{ outcome: 'BAD_USER_INPUT', status: 400 }]);
  });

  it('rejects what is no single JSON message', async () => {
    const gateway = await start();
    expect((await post(gateway, [listTools, listTools])).status).toBe(400);
    const text = await post(gateway, listTools, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
    expect(await text.text()).toContain('"The content type must be application/json."');
    expect((await post(gateway, { id: 1 })).status).toBe(400);
    const get = await gateway.fetch('/mcp');
    expect(get.status).toBe(405);
    expect(get.headers.get('allow')).toBe('POST');
  });

  it('rejects a message with many values, which the library reads and repeats for seconds', async () => {
    const gateway = await start();
    const clientInfo = { name: 'x', version: '1', icons: Array.from({ length: 2000 }, () => 0) };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const response = await post(gateway, { ...listTools, method: 'initialize', params });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('"The message has too many values."');
  });

  it('rejects bodies above the limit', async () => {
    const gateway = await start({ server: { maxBodyBytes: 1024 } });
    expect((await post(gateway, { ...listTools, x: 'x'.repeat(2000) })).status).toBe(413);
  });

  it('does not exist unless it is on', async () => {
    const gateway = await start({ server: { mcp: false } });
    expect((await post(gateway)).status).toBe(404);
  });
});

describe('the media types of a request to /mcp', () => {
  it.each([
    [{ accept: '*/*' }],
    [{ accept: 'Text/Event-Stream, Application/JSON' }],
    [{ accept: '' }],
    [{ 'content-type': 'Application/JSON; Charset=UTF-8' }],
  ])('can be %j', async (headers) => {
    const gateway = await start();
    const response = await post(gateway, listTools, headers);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"name":"Person"');
  });

  it('must include both of the protocol', async () => {
    const gateway = await start();
    for (const accept of ['application/json', 'text/event-stream']) {
      expect((await post(gateway, listTools, { accept })).status).toBe(406);
    }
  });
});

describe('a batch', () => {
  const callOf = (id: unknown, user: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'Person', arguments: { id: user } },
  });

  /** The results of a batch by ID. */
  async function resultsOf(response: Response): Promise<Map<unknown, unknown>> {
    const text = await response.text();
    const messages = [...text.matchAll(/^data: (.+)$/gm)].flatMap(([, data]) => JSON.parse(data!));
    return new Map(messages.map((message) => [message.id, message.result]));
  }

  it.each([{}, { 'mcp-protocol-version': '2025-03-26' }])(
    'is executed in order, each call with its arguments: %j',
    async (headers) => {
      const gateway = await start();
      let inFlight = 0;
      gateway.dms.reply('GET', /person/, async ({ path }) => {
        inFlight += 1;
        expect(inFlight).toBe(1);
        await new Promise(setImmediate);
        inFlight -= 1;
        const [user = ''] = /usr-\w+/.exec(path) ?? [];
        return { _id_sys: user, email: `${user}@example.com` };
      });
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
      const list = { ...listTools, id: 3 };
      const batch = [callOf(1, 'usr-ann'), progress, callOf('1', 'usr-bob'), list];
      const response = await post(gateway, batch, headers);
      const resultOf = (email: string) => ({ structuredContent: { data: { person: { email } } } });
      expect(await resultsOf(response)).toEqual(
        new Map<unknown, unknown>([
          [1, expect.objectContaining(resultOf('usr-ann@example.com'))],
          ['1', expect.objectContaining(resultOf('usr-bob@example.com'))],
          [3, expect.objectContaining({ tools: expect.any(Array) })],
        ]),
      );
      expect(gateway.dms.requests).toEqual([
        'GET /api/v2/person/usr-ann',
        'GET /api/v2/person/usr-bob',
      ]);
      await expect.poll(() => requestsIn(gateway)).toMatchObject([{ kind: 'mcp', calls: 2 }]);
    },
  );

  it('can list the tools once', async () => {
    const gateway = await start();
    const response = await post(gateway, [listTools, { ...listTools, id: 2 }]);
    const text = await response.text();
    expect(text.split('"name":"Person"')).toHaveLength(2);
    expect(text).toContain('"message":"A batch can list the tools once."');
  });

  it('that is late has a result for each call, and sends nothing for those that had not begun', async () => {
    fakeTimers('performance', 'setTimeout');
    const hanging = Promise.withResolvers<void>();
    const hang = (): Promise<never> => {
      hanging.resolve();
      return new Promise(() => {});
    };
    const gateway = await start({
      server: { requestTimeoutMs: 1000 },
      parts: { plugins: [{ onExecute: () => ({ onExecuteDone: hang }) }] },
    });
    gateway.dms.reply('GET', /person/, ann);
    await (await post(gateway)).text(); // loads the SDK, before the time passes
    const response = post(gateway, [callOf(1, 'usr-ann'), callOf(2, 'usr-bob')]);
    await hanging.promise;
    const results = await whileTimePasses(response.then(resultsOf));
    const late = { isError: true, structuredContent: { errors: [{ code: 'UPSTREAM_TIMEOUT' }] } };
    expect([...results]).toMatchObject([
      [1, late],
      [2, late],
    ]);
    expect(gateway.dms.requests).toEqual(['GET /api/v2/person/usr-ann']);
  });

  it.each([
    ['of another revision', [listTools], { 'mcp-protocol-version': '2025-06-18' }],
    ['with an ID twice', [callOf(1, 'usr-ann'), callOf(1, 'usr-bob')], {}],
    ['of 21 messages', Array.from({ length: 21 }, (_, id) => ({ ...listTools, id })), {}],
    ['without messages', [], {}],
    ['with another value', [listTools, 1], {}],
  ])('%s is rejected', async (_what, batch, headers) => {
    const gateway = await start();
    expect((await post(gateway, batch, headers)).status).toBe(400);
    expect(gateway.dms.requests).toEqual([]);
  });
});

describe('the manifest', () => {
  it('has documents without a description, of which a warning tells', async () => {
    const gateway = await start(
      {},
      { person, none, 'inbox-1': 'query Inbox { viewer { runAs } }' },
    );
    const client = await connectMcp(gateway.url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['Person']);
    expect(gateway.log.filter(({ level }) => level === 40)).toMatchObject([
      {
        msg: 'trusted documents are not tools',
        count: 2,
        documents: [
          { id: 'none', reason: 'it has no description' },
          { id: 'inbox-1', reason: 'it has no description' },
        ],
      },
    ]);
  });

  it('cannot have two tools of one name', async () => {
    const gateway = await start({}, { person, other: person.replace('email', 'fullName') });
    await expect(gateway.load()).rejects.toThrow(
      'PERSISTED_DOCUMENTS: with MCP=on, only one document with a description can have the operation name "Person".',
    );
  });
});
