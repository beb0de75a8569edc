import { GraphQLError, type GraphQLErrorExtensions, type ValidationRule } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { TeamPlugin } from '../../src/index.ts';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../helpers/gateway.ts';

/* GraphQL errors that a team throws for its clients, and all others, which stay hidden. */

const secret = 'a secret of the team';
const message = 'Not on Sundays.';

const withPlugins = (...plugins: TeamPlugin[]): Promise<TestGateway> =>
  startGateway({ parts: { plugins } });

async function ask(gateway: TestGateway, accept = 'application/json') {
  const response = await gateway.post({ query: '{ viewer { runAs } }' }, { accept });
  const text = await response.text();
  const { errors } = JSON.parse(text) as {
    errors: { message: string; extensions: Record<string, unknown> }[];
  };
  return { status: response.status, headers: response.headers, errors, text };
}

type Throw = () => never;
const throwing =
  (error: unknown): Throw =>
  () => {
    throw error;
  };

const before: Record<string, (fail: Throw) => TeamPlugin> = {
  onRequest: (onRequest) => ({ onRequest }),
  onRequestParse: (onRequestParse) => ({ onRequestParse }),
  onParams: (onParams) => ({ onParams }),
  onParse: (onParse) => ({ onParse }),
  onValidate: (onValidate) => ({ onValidate }),
  onContextBuilding: (onContextBuilding) => ({ onContextBuilding }),
  onExecute: (onExecute) => ({ onExecute }),
};
const after: Record<string, (fail: Throw) => TeamPlugin> = {
  execution: (fail) => ({
    onExecute: ({ executeFn, setExecuteFn }) =>
      setExecuteFn(async (args) => {
        await executeFn(args);
        fail();
      }),
  }),
  onExecuteDone: (onExecuteDone) => ({ onExecute: () => ({ onExecuteDone }) }),
};
const hooks = Object.entries({ ...before, ...after });

describe.each(hooks)('a GraphQL error that a plugin throws in %s', (name, pluginOf) => {
  it('with a status has its message, status and headers', async () => {
    const http = { status: 403, headers: { 'X-Reason': 'sunday' } };
    const error = new GraphQLError(message, { extensions: { http, token: secret } });
    const gateway = await withPlugins(pluginOf(throwing(error)));
    const { status, headers, errors, text } = await ask(gateway);
    expect(status).toBe(403);
    expect(headers.get('x-reason')).toBe('sunday');
    const requestId = headers.get('x-request-id');
    expect(errors).toEqual([{ message, extensions: { code: 'FORBIDDEN', requestId } }]);
    expect(text).not.toContain(secret);
    await expect.poll(() => gateway.log).toMatchObject([{ msg: 'request', outcome: 'FORBIDDEN' }]);
  });

  it('without a status is visible only before the execution', async () => {
    const gateway = await withPlugins(pluginOf(throwing(new GraphQLError(message))));
    const isBefore = name in before;
    const code = isBefore ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR';
    const shown = { message: isBefore ? message : 'Unexpected error.', extensions: { code } };
    const json = await ask(gateway);
    expect(json).toMatchObject({ status: isBefore ? 200 : 500, errors: [shown] });
    const graphql = await ask(gateway, 'application/graphql-response+json');
    expect(graphql).toMatchObject({ status: isBefore ? 400 : 500, errors: [shown] });
  });

  it('that wraps another error is hidden, as is that error', async () => {
    for (const error of [
      new GraphQLError(secret, { originalError: new Error(secret) }),
      Object.assign(new Error(secret), { extensions: { http: { status: 403 } } }),
      Object.assign(new Error(secret), { name: 'AbortError' }),
      new DOMException(secret, 'TimeoutError'),
      new AggregateError([new Error(secret)], secret),
    ]) {
      const { status, errors, text } = await ask(await withPlugins(pluginOf(throwing(error))));
      expect(status).toBe(500);
      expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
      expect(text).not.toContain(secret);
    }
  });
});

it.each([
  [400, 'BAD_USER_INPUT'],
  [401, 'UNAUTHENTICATED'],
  [402, 'BAD_USER_INPUT'],
  [404, 'NOT_FOUND'],
  [408, 'BAD_USER_INPUT'],
  [409, 'CONFLICT'],
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_SERVER_ERROR'],
  [501, 'INTERNAL_SERVER_ERROR'],
  [503, 'UPSTREAM_UNAVAILABLE'],
  [200, 'BAD_USER_INPUT'],
])('gives an error of a plugin with the status %i the code %s', async (status, code) => {
  const error = new GraphQLError(message, { extensions: { http: { status } } });
  const gateway = await withPlugins({ onParams: throwing(error) });
  expect(await ask(gateway)).toMatchObject({ status, errors: [{ message, extensions: { code } }] });
  const isFault = code === 'INTERNAL_SERVER_ERROR';
  await expect
    .poll(() => gateway.log.map(({ msg }) => msg))
    .toEqual([...(isFault ? ['failure'] : []), 'request']);
});

it.each([
  true,
  'yes',
  { status: 'high' },
  { status: 99 },
  { status: 1000 },
  { headers: { a: '1' } },
])('ignores what is no status of an error: %j', async (http) => {
  const error = new GraphQLError(message, { extensions: { http: http as never } });
  const gateway = await withPlugins({ onParams: throwing(error) });
  expect(await ask(gateway)).toMatchObject({
    status: 200,
    errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

it('keeps the code of an error that a validation rule of a plugin reports', async () => {
  const rule: ValidationRule = (context) => ({
    Field(node) {
      const extensions = { code: 'TOO_MANY_TEAMS' };
      context.reportError(new GraphQLError(message, { nodes: node, extensions }));
    },
    OperationDefinition: (node) => context.reportError(new GraphQLError(message, { nodes: node })),
  });
  const gateway = await withPlugins({ onValidate: (hook) => hook.addValidationRule(rule) });
  const { errors } = await ask(gateway);
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual([
    'GRAPHQL_VALIDATION_FAILED',
    'TOO_MANY_TEAMS',
    'TOO_MANY_TEAMS',
  ]);
});

it('reports each part of an AggregateError of a plugin', async () => {
  const error = new AggregateError([
    new GraphQLError(message, { extensions: { http: { status: 401 } } }),
    new Error(secret),
  ]);
  for (const plugin of [{ onParams: throwing(error) }, { onValidate: throwing(error) }]) {
    const { errors, text } = await ask(await withPlugins(plugin));
    expect(errors).toMatchObject([
      { message, extensions: { code: 'UNAUTHENTICATED' } },
      { extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ]);
    expect(text).not.toContain(secret);
  }
});

it.each([0, 1])(
  'shows an error with a status that a field throws (compileAfter %i)',
  async (compileAfter) => {
    const fail = (extensions: GraphQLErrorExtensions) =>
      throwing(new GraphQLError(message, { extensions }));
    const extendSchema: NonNullable<TestGatewayOptions['parts']>['extendSchema'] = (builder) =>
      builder.queryFields((t) => ({
        closed: t.int({ nullable: true, resolve: fail({ http: { status: 404 } }) }),
        hidden: t.int({ nullable: true, resolve: fail({}) }),
        required: t.int({ resolve: fail({ http: { status: 404 } }) }),
      }));
    const gateway = await startGateway({
      server: compiledAfter(compileAfter),
      parts: { extendSchema },
    });
    const { status, errors } = await gateway.query('{ closed hidden }');
    expect(status).toBe(200);
    expect(errors).toMatchObject([
      { message, path: ['closed'], extensions: { code: 'NOT_FOUND' } },
      { path: ['hidden'], extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ]);
    // `data` is null because of the error, and not absent.
    expect((await gateway.query('{ required }')).status).toBe(200);
  },
);

it('hides errors of an execution for which a plugin changes the variables', async () => {
  for (const compileAfter of [0, 1]) {
    const plugin: TeamPlugin = {
      onExecute: ({ args }) => void (args.variableValues = { first: secret }),
    };
    const gateway = await startGateway({
      server: compiledAfter(compileAfter),
      parts: { plugins: [plugin] },
    });
    const response = await gateway.query(
      'query ($first: Int) { documents(first: $first) { totalCount } }',
      { first: 2 },
    );
    expect(JSON.stringify(response)).not.toContain(secret);
    expect(response.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
  }
});
