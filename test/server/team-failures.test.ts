import { GraphQLError } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defineGateway, type TeamPlugin } from '../../src/index.ts';
import { resolverError } from '../../src/schema/public.ts';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { fakeTimers, whileTimePasses } from '../helpers/fake-timers.ts';
import { startGateway, type TestGateway } from '../helpers/gateway.ts';

/* Code of a team that fails, never ends, or returns what it should not. */

/* oxlint-disable unicorn/no-thenable -- libraries of a team can have thenables that are not promises */

const never = new Promise<never>(() => {});
const secret = 'a secret of the team';

function selfContaining(): unknown[] {
  const list: unknown[] = ['a'];
  list.push(list);
  return list;
}

const closed = vi.fn<() => void>();

async function* endless(): AsyncGenerator<number> {
  try {
    for (let i = 0; ; i += 1) yield i;
  } finally {
    closed();
  }
}

function* endlessAtOnce(): Generator<number> {
  try {
    for (let i = 0; ; i += 1) yield i;
  } finally {
    closed();
  }
}

/** A stream whose source never answers. */
const unreturned = {
  next: () => never,
  return: async () => {
    closed();
    return { done: true, value: undefined };
  },
  [Symbol.asyncIterator]: () => unreturned,
};

/** What each field of type Int, [Int], [[String]] or JSON returns. */
const ints: Record<string, () => unknown> = {
  twice: () => ({
    then(resolve: (value: number) => void) {
      resolve(1);
      resolve(2);
    },
  }),
  both: () => ({
    then(resolve: (value: number) => void, reject: (error: Error) => void) {
      resolve(1);
      reject(new Error(secret));
      throw new Error(secret);
    },
  }),
  never: () => never,
  neverThen: () => ({ then() {} }),
  functionThen: () =>
    Object.assign(() => 2, { then: (resolve: (value: number) => void) => resolve(1) }),
  listForInt: () => [1],
  notFinite: () => Infinity,
  symbol: () => Symbol(secret),
  bigInt: () => 2n ** 80n,
  rejected: () => Promise.reject(new Error(secret)),
  rejectedWithText: () => Promise.reject(secret), // oxlint-disable-line prefer-promise-reject-errors
  thrownNull: () => {
    throw null; // oxlint-disable-line no-throw-literal
  },
  refused: () => {
    throw resolverError('FORBIDDEN', 'Not this one.');
  },
};
const lists: Record<string, () => unknown> = {
  generated: async function* () {
    yield* [1, 2, 3];
  },
  generatedLater: async () => lists['generated']!(),
  generatedNever: async function* () {
    yield 1;
    await never;
  },
  generatedFailure: async function* () {
    yield 1;
    throw new Error(secret);
  },
  neverItem: () => [1, never],
  failedItem: () => [1, Promise.reject(new Error(secret))],
  thenableItem: () => [1, ints['twice']!()],
  intForList: () => 1,
  selfContainingInts: selfContaining,
  set: () => new Set([1, never]),
  generatedAtOnce: function* () {
    yield* [1, Promise.resolve(2)];
  },
};
const nestedLists: Record<string, () => unknown> = {
  neverNested: () => [[1, never], [2]],
  neverRow: () => [never, [2]],
  noRow: () => [null, [2]],
  nestedLater: async () => [
    new Set([1]),
    (async function* () {
      yield 2;
    })(),
  ],
};

const { schema: extendSchema } = defineGateway({
  schema(builder) {
    const cat = builder.objectRef<object>('Cat').implement({
      fields: (t) => ({ name: t.string({ resolve: () => 'a' }) }),
    });
    const animal = builder.unionType('Animal', { types: [cat], resolveType: () => never });
    const shape = builder.interfaceRef<object>('Shape').implement({
      fields: (t) => ({ area: t.int({ resolve: () => 1 }) }),
    });
    builder.objectRef<object>('Circle').implement({
      interfaces: [shape],
      isTypeOf: () => never,
    });
    builder.queryFields((t) => ({
      ...Object.fromEntries(
        Object.entries(ints).map(([name, resolve]) => [
          name,
          t.int({ nullable: true, resolve: resolve as () => number }),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(lists).map(([name, resolve]) => [
          name,
          t.intList({
            nullable: { list: true, items: true },
            resolve: resolve as () => number[],
          }),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(nestedLists).map(([name, resolve]) => [
          name,
          t.field({
            type: t.listRef(t.listRef('Int', { nullable: true }), { nullable: true }),
            nullable: true,
            resolve: resolve as () => number[][],
          }),
        ]),
      ),
      endless: t.intList({ nullable: true, resolve: endless as never }),
      endlessAtOnce: t.intList({ nullable: true, resolve: endlessAtOnce as never }),
      unreturned: t.intList({ nullable: true, resolve: () => unreturned as never }),
      animal: t.field({ type: animal, nullable: true, resolve: () => ({}) }),
      shape: t.field({ type: shape, nullable: true, resolve: () => ({}) }),
      texts: t.field({
        type: t.listRef(t.listRef('String', { nullable: true }), { nullable: true }),
        nullable: true,
        resolve: selfContaining as never,
      }),
      json: t.field({ type: 'JSON', nullable: true, resolve: selfContaining }),
      ok: t.int({ resolve: () => 1 }),
    }));
  },
});

const start = (compileAfter = 0, requestTimeoutMs = 10_000, plugins: readonly TeamPlugin[] = []) =>
  startGateway({
    server: { ...compiledAfter(compileAfter), requestTimeoutMs, maxListFields: 1000 },
    parts: { extendSchema, plugins },
  });

async function expectToServe(gateway: TestGateway): Promise<void> {
  expect((await gateway.query('query Other { ok }')).data).toEqual({ ok: 1 });
}

const expected: Record<string, { readonly value: unknown; readonly code?: string }> = {
  twice: { value: 1 },
  both: { value: 1 },
  never: { value: null, code: 'UPSTREAM_TIMEOUT' },
  neverThen: { value: null, code: 'UPSTREAM_TIMEOUT' },
  functionThen: { value: 1 },
  listForInt: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  notFinite: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  symbol: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  bigInt: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  rejected: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  rejectedWithText: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  thrownNull: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  refused: { value: null, code: 'FORBIDDEN' },
  generated: { value: [1, 2, 3] },
  generatedLater: { value: [1, 2, 3] },
  generatedNever: { value: null, code: 'UPSTREAM_TIMEOUT' },
  generatedFailure: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  neverItem: { value: [1, null], code: 'UPSTREAM_TIMEOUT' },
  failedItem: { value: [1, null], code: 'INTERNAL_SERVER_ERROR' },
  thenableItem: { value: [1, 1] },
  intForList: { value: null, code: 'INTERNAL_SERVER_ERROR' },
  selfContainingInts: { value: [null, null], code: 'INTERNAL_SERVER_ERROR' },
  set: { value: [1, null], code: 'UPSTREAM_TIMEOUT' },
  generatedAtOnce: { value: [1, 2] },
  neverNested: { value: [[1, null], [2]], code: 'UPSTREAM_TIMEOUT' },
  neverRow: { value: [null, [2]], code: 'UPSTREAM_TIMEOUT' },
  noRow: { value: [null, [2]] },
  nestedLater: { value: [[1], [2]] },
  endless: { value: null, code: 'BAD_USER_INPUT' },
  endlessAtOnce: { value: null, code: 'BAD_USER_INPUT' },
  unreturned: { value: null, code: 'UPSTREAM_TIMEOUT' },
  'animal { __typename }': { value: null, code: 'UPSTREAM_TIMEOUT' },
  'shape { area }': { value: null, code: 'UPSTREAM_TIMEOUT' },
};

describe.each([
  ['graphql-js', 0],
  ['compiled execution', 1],
])('a field with %s', (_name, compileAfter) => {
  it.each(Object.entries(expected))('that is %s hurts itself alone', async (name, result) => {
    fakeTimers('performance', 'setTimeout');
    const gateway = await start(compileAfter, 1000);
    await gateway.load();
    const response = gateway.query(`{ ${name} }`);
    if (result.code === 'UPSTREAM_TIMEOUT') await whileTimePasses(response);
    const { data, errors = [] } = await response;
    expect(data).toEqual({ [name.split(' ')[0]!]: result.value });
    const codes = new Set(errors.map(({ extensions }) => extensions['code']));
    expect([...codes]).toEqual(result.code === undefined ? [] : [result.code]);
    expect(JSON.stringify(errors)).not.toContain(secret);
    await expectToServe(gateway);
  });

  it.each(['texts', 'json'])('that contains itself is an error: %s', async (name) => {
    const gateway = await start(compileAfter);
    const { errors } = await gateway.query(`{ ${name} }`);
    expect(errors!.length).toBeGreaterThan(0);
    await expectToServe(gateway);
  });

  it.each(['endless', 'endlessAtOnce', 'unreturned'])('closes what is %s', async (name) => {
    const gateway = await start(compileAfter, name === 'unreturned' ? 100 : undefined);
    closed.mockClear();
    await gateway.query(`{ ${name} }`);
    expect(closed).toHaveBeenCalledTimes(1);
  });
});

it('handles the rejections of items that are dropped with their list', async () => {
  const items = Promise.withResolvers<number>();
  const gateway = await startGateway({
    server: { maxListFields: 1 },
    parts: {
      extendSchema: (builder) =>
        builder.queryFields((t) => ({
          tooMany: t.intList({ nullable: true, resolve: () => [items.promise, 1] as never }),
          noItem: t.intList({ nullable: true, resolve: () => [items.promise, null] as never }),
        })),
    },
  });
  const unhandled = vi.fn<() => void>();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  for (const name of ['tooMany', 'noItem']) {
    expect((await gateway.query(`{ ${name} }`)).data).toEqual({ [name]: null });
  }
  items.reject(new Error(secret));
  await new Promise((resolve) => setImmediate(resolve)); // rejections are reported before it
  expect(unhandled).not.toHaveBeenCalled();
});

it.each([
  [() => BigInt(secret), undefined],
  [
    () => {
      throw null; // oxlint-disable-line no-throw-literal
    },
    undefined,
  ],
  [
    () => {
      throw new GraphQLError('Send an amount.');
    },
    'Send an amount.',
  ],
  [
    () => {
      throw resolverError('FORBIDDEN', 'Not this amount.');
    },
    'Not this amount.',
  ],
])('blames the client for an input that a scalar rejects (%#)', async (parse, message) => {
  const gateway = await startGateway({
    parts: {
      extendSchema(builder) {
        for (const [name, functions] of Object.entries({
          Money: { parseValue: parse },
          Weight: { parseValue: parse, parseLiteral: parse },
        })) {
          builder.scalarType(name as never, { serialize: String, ...functions } as never);
          builder.queryField(`pay${name}`, (t) =>
            t.int({
              nullable: true,
              args: { amount: t.arg({ type: name as never }) },
              resolve: () => 1,
            }),
          );
        }
      },
    },
  });
  for (const name of ['Money', 'Weight']) {
    for (const response of [
      await gateway.query(`{ pay${name}(amount: "none") }`),
      await gateway.query(`query ($amount: ${name}) { pay${name}(amount: $amount) }`, {
        amount: 'none',
      }),
    ]) {
      expect(response.status).toBe(200);
      expect(response.errors).toHaveLength(1);
      const { message: shown, extensions } = response.errors![0]!;
      expect(extensions['code']).toMatch(/^(GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT|FORBIDDEN)$/);
      expect(shown).toContain(message ?? `The value is not a valid ${name}.`);
      expect(JSON.stringify(response)).not.toContain(secret);
    }
  }
  expect(gateway.log.filter(({ msg }) => msg === 'failure')).toEqual([]);
});

it('logs where an error with a long message was thrown', async () => {
  const gateway = await startGateway({
    parts: {
      extendSchema: (builder) =>
        builder.queryField('long', (t) =>
          t.int({
            resolve() {
              throw new Error('m'.repeat(1_000_000));
            },
          }),
        ),
    },
  });
  await gateway.query('{ long }');
  const failure = JSON.stringify(gateway.log.find(({ msg }) => msg === 'failure'));
  expect(failure).toContain('team-failures.test.ts');
  expect(failure.length).toBeLessThan(20_000);
});

describe('the context of a team that never returns', () => {
  it('ends with the time limit of the operation, and is disposed if it returns later', async () => {
    const hanging = Promise.withResolvers<object>();
    const disposed = Promise.withResolvers<void>();
    fakeTimers('performance', 'setTimeout');
    const gateway = await startGateway({
      server: { requestTimeoutMs: 1000 },
      parts: {
        extendSchema,
        createTeamContext: ({ request }) => (request.headers.has('x-hang') ? hanging.promise : {}),
      },
    });
    await gateway.load();
    const { errors } = await whileTimePasses(gateway.query('{ ok }', {}, { 'x-hang': '1' }));
    expect(errors).toMatchObject([
      {
        message: 'The request was not prepared in time; REQUEST_TIMEOUT_MS limits the operation.',
        extensions: { code: 'UPSTREAM_TIMEOUT' },
      },
    ]);
    await expectToServe(gateway);
    hanging.resolve({ [Symbol.asyncDispose]: async () => disposed.resolve() });
    await disposed.promise;
  });
});

describe('a plugin', () => {
  const fail = (): never => {
    throw new Error(secret);
  };
  /** Fails for requests whose document contains `Bad`, or whose URL does. */
  const hooks: Record<string, TeamPlugin> = {
    onRequest: { onRequest: ({ url }) => void (url.search === '?bad' && fail()) },
    onRequestParse: {
      onRequestParse: ({ request }) => void (request.url.endsWith('?bad') && fail()),
    },
    onParams: { onParams: ({ params }) => void (/Bad/.test(params.query ?? '') && fail()) },
    onParse: { onParse: ({ params }) => void (/Bad/.test(String(params.source)) && fail()) },
    onValidate: {
      onValidate: ({ params }) =>
        void (JSON.stringify(params.documentAST).includes('Bad') && fail()),
    },
    onContextBuilding: {
      onContextBuilding: ({ context }) => void (/Bad/.test(context.params.query) && fail()),
    },
    onExecute: {
      onExecute: ({ args }) => void (args.document.definitions[0].name.value === 'Bad' && fail()),
    },
    onExecuteDone: {
      onExecute: ({ args }) => ({
        onExecuteDone: () => void (args.document.definitions[0].name.value === 'Bad' && fail()),
      }),
    },
    onResultProcess: {
      onResultProcess: ({ request }) => void (request.url.endsWith('?bad') && fail()),
    },
    onResponse: { onResponse: ({ request }) => void (request.url.endsWith('?bad') && fail()) },
    instrumentation: {
      instrumentation: {
        request: ({ request }, wrapped) => (request.url.endsWith('?bad') ? fail() : wrapped()),
      },
    },
    onSchemaChange: { onSchemaChange: () => {} },
  };

  it.each(Object.entries(hooks))(
    'that throws in %s fails its request alone',
    async (name, plugin) => {
      const gateway = await start(0, undefined, [plugin]);
      const response = await gateway.fetch('/graphql?bad', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query: 'query Bad { ok }' }),
      });
      const text = await response.text();
      expect(text).not.toContain(secret);
      if (name !== 'onSchemaChange') {
        expect(text).toContain('INTERNAL_SERVER_ERROR');
        expect(JSON.stringify(gateway.log)).toContain(secret);
      }
      await expectToServe(gateway);
    },
  );

  const hanging: Record<string, TeamPlugin> = {
    onRequest: { onRequest: () => never },
    onRequestParse: { onRequestParse: () => never },
    onParams: { onParams: () => never },
    onContextBuilding: { onContextBuilding: () => never },
    onExecute: { onExecute: () => never },
    execution: { onExecute: ({ setExecuteFn }) => setExecuteFn(() => never) },
    onExecuteDone: { onExecute: () => ({ onExecuteDone: () => never as never }) },
    onExecutionResult: { onExecutionResult: () => never },
    onResultProcess: { onResultProcess: () => never },
    onResponse: { onResponse: () => never },
    instrumentation: { instrumentation: { request: () => never } },
  };

  it('that never returns from a hook ends its request at its deadline', async () => {
    const end = async ([name, plugin]: [string, TeamPlugin]) => {
      const disposed = vi.fn<() => void>();
      const created = vi.fn<() => object>(() => ({ [Symbol.dispose]: disposed }));
      const gateway = await startGateway({
        server: { requestTimeoutMs: 50 },
        parts: {
          extendSchema,
          plugins: [plugin],
          createTeamContext: ({ caller }) => (caller.key === '' ? {} : created()),
        },
      });
      const { status, errors } = await gateway.query('{ ok }');
      const failure = gateway.log.find(({ msg }) => msg === 'failure');
      expect(JSON.stringify(failure)).toContain('A plugin or the execution');
      await expect.poll(() => disposed.mock.calls.length).toBe(created.mock.calls.length);
      return { name, status, code: errors?.[0]?.extensions['code'] };
    };
    const expectedEnd = { status: 504, code: 'UPSTREAM_TIMEOUT' };
    expect(await Promise.all(Object.entries(hanging).map(end))).toEqual(
      Object.keys(hanging).map((name) => ({ name, ...expectedEnd })),
    );
  });

  it('that never returns after a mutation leaves its outcome unknown', async () => {
    fakeTimers('performance', 'setTimeout');
    const gateway = await startGateway({
      server: { requestTimeoutMs: 1000 },
      parts: {
        extendSchema: (builder) =>
          builder.mutationField('write', (t) => t.int({ resolve: () => 1 })),
        plugins: [{ onExecute: () => ({ onExecuteDone: () => never as never }) }],
      },
    });
    await gateway.load();
    const { status, errors } = await whileTimePasses(gateway.query('mutation { write }'));
    expect(status).toBe(502);
    expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN' } }]);
  });

  it('that throws null fails its request alone, which is logged', async () => {
    const gateway = await start(0, undefined, [
      {
        onRequest: ({ url }) => {
          if (url.search === '?bad') throw null; // oxlint-disable-line no-throw-literal
        },
      },
    ]);
    const response = await gateway.fetch('/graphql?bad', { method: 'POST' });
    expect(response.status).toBe(500);
    expect(JSON.stringify(gateway.log)).toContain('null was thrown');
    await expectToServe(gateway);
  });

  it('that replaces a property of the gateway fails its request alone', async () => {
    const gateway = await start(0, undefined, [
      {
        onContextBuilding({ context, extendContext }) {
          if (/Bad/.test(context.params.query)) extendContext({ operation: {} });
        },
      },
    ]);
    const { errors } = await gateway.query('query Bad { ok }');
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    await expectToServe(gateway);
  });

  it('that throws at the start prevents it', async () => {
    for (const name of ['onPluginInit', 'onYogaInit', 'onSchemaChange'] as const) {
      const gateway = await start(0, undefined, [{ [name]: fail }]);
      await expect(gateway.load()).rejects.toThrow(secret);
    }
  });
});
