import { GraphQLError } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { defineGateway, type TeamPlugin } from '../../src/index.ts';
import { resolverError } from '../../src/schema/public.ts';
import { fakeTimers, whileTimePasses } from '../helpers/fake-timers.ts';
import { startGateway, type TestGateway } from '../helpers/gateway.ts';

/* Code of a team that fails or never ends. */

const never = new Promise<never>(() => {});
const secret = 'a secret of the team';
const rejected = async (): Promise<never> => {
  throw new Error(secret);
};

/** A field of a team, and what it returns. */
const ints: Readonly<Record<string, () => unknown>> = {
  never: () => never,
  rejected,
  rejectedWithText: () => Promise.reject(secret), // oxlint-disable-line prefer-promise-reject-errors
  thrownNull: () => {
    throw null; // oxlint-disable-line no-throw-literal
  },
  refused: () => {
    throw resolverError('FORBIDDEN', 'Not this one.');
  },
};
const lists: Readonly<Record<string, () => unknown>> = {
  generatedFailure: async function* () {
    yield 1;
    await rejected();
  },
  failedItem: () => [1, rejected()],
  neverItem: () => [1, never],
  neverGenerated: async function* () {
    yield 1;
    await never;
  },
};

const { schema: extendSchema } = defineGateway({
  schema(builder) {
    const cat = builder.objectRef<object>('Cat').implement({
      fields: (t) => ({ name: t.string({ resolve: () => 'a' }) }),
    });
    const animal = builder.unionType('Animal', { types: [cat], resolveType: () => never });
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
      animal: t.field({ type: animal, nullable: true, resolve: () => ({}) }),
      ok: t.int({ resolve: () => 1 }),
    }));
  },
});

const start = (plugins: readonly TeamPlugin[] = [], requestTimeoutMs = 10_000) =>
  startGateway({ server: { requestTimeoutMs }, parts: { extendSchema, plugins } });

async function expectToServe(gateway: TestGateway): Promise<void> {
  expect((await gateway.query('query Other { ok }')).data).toEqual({ ok: 1 });
}

it.each<[name: string, value: unknown, code: string]>([
  ['never', null, 'UPSTREAM_TIMEOUT'],
  ['rejected', null, 'INTERNAL_SERVER_ERROR'],
  ['rejectedWithText', null, 'INTERNAL_SERVER_ERROR'],
  ['thrownNull', null, 'INTERNAL_SERVER_ERROR'],
  ['refused', null, 'FORBIDDEN'],
  ['generatedFailure', [1, null], 'INTERNAL_SERVER_ERROR'],
  ['failedItem', [1, null], 'INTERNAL_SERVER_ERROR'],
])('a field that is %s hurts itself alone', async (name, value, code) => {
  fakeTimers('performance', 'setTimeout');
  const gateway = await start([], 1000);
  await gateway.load();
  const response = gateway.query(`{ ok ${name} }`);
  if (code === 'UPSTREAM_TIMEOUT') await whileTimePasses(response);
  const { data, errors = [] } = await response;
  expect(data).toEqual({ ok: 1, [name]: value });
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual([code]);
  expect(JSON.stringify(errors)).not.toContain(secret);
  await expectToServe(gateway);
});

it.each(['neverItem', 'neverGenerated', 'animal { __typename }'])(
  'a promise that never settles ends the request at its deadline: %s',
  async (selection) => {
    fakeTimers('performance', 'setTimeout');
    const gateway = await start([], 1000);
    await gateway.load();
    const { status, errors } = await whileTimePasses(gateway.query(`{ ok ${selection} }`));
    expect(status).toBe(504);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
    await expectToServe(gateway);
  },
);

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

it('ends a request whose context never returns at its deadline, and disposes it later', async () => {
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
  const response = gateway.query('{ ok }', {}, { 'x-hang': '1' });
  const { status, errors } = await whileTimePasses(response);
  expect(status).toBe(504);
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
  await expectToServe(gateway);
  hanging.resolve({ [Symbol.asyncDispose]: async () => disposed.resolve() });
  await disposed.promise;
});

describe('a plugin', () => {
  const fail = (): never => {
    throw new Error(secret);
  };
  /** Hooks that fail for requests with this URL; test/server/plugin-errors.test.ts has the others. */
  const hooks: Record<string, TeamPlugin> = {
    onResultProcess: {
      onResultProcess: ({ request }) => void (request.url.endsWith('?bad') && fail()),
    },
    onResponse: { onResponse: ({ request }) => void (request.url.endsWith('?bad') && fail()) },
    instrumentation: {
      instrumentation: {
        request: ({ request }, wrapped) => (request.url.endsWith('?bad') ? fail() : wrapped()),
      },
    },
  };

  it.each(Object.entries(hooks))(
    'that throws in %s fails its request alone',
    async (_name, plugin) => {
      const gateway = await start([plugin]);
      const response = await gateway.fetch('/graphql?bad', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ ok }"}',
      });
      const text = await response.text();
      expect(text).not.toContain(secret);
      expect(text).toContain('INTERNAL_SERVER_ERROR');
      expect(JSON.stringify(gateway.log)).toContain(secret);
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
        server: { requestTimeoutMs: 1000 },
        parts: {
          extendSchema,
          plugins: [plugin],
          createTeamContext: ({ caller }) => (caller.key === '' ? {} : created()),
        },
      });
      await gateway.load();
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
    const gateway = await start([
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
    const gateway = await start([
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
      const gateway = await start([{ [name]: fail }]);
      await expect(gateway.load()).rejects.toThrow(secret);
    }
  });
});
