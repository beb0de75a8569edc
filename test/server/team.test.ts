import { describe, expect, it, vi } from 'vitest';
import { defineGateway, type TeamPlugin } from '../../src/index.ts';
import type { CreateTeamContext } from '../../src/server/graphql/plugins/use-team-context.ts';
import { schemaWith } from '../../src/schema/index.ts';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { startGateway } from '../helpers/gateway.ts';

declare module '../../src/index.ts' {
  interface TeamContext {
    risk?: { readonly user: string | null; readonly key: string; readonly header: string | null };
  }
}

const { schema: extension } = defineGateway({
  schema(builder) {
    builder.queryFields((t) => ({
      riskUser: t.string({
        nullable: true,
        description: 'The user of the risk service.',
        resolve: (_root, _args, { risk }) => `${risk?.user} ${risk?.header}`,
      }),
    }));
  },
});

async function start(context: NonNullable<ReturnType<typeof defineGateway>['context']>) {
  return startGateway({
    server: { identity: { mode: 'passthrough' }, credential: null },
    parts: { schema: schemaWith(null, extension!), createTeamContext: context },
  });
}

describe('the context of a team', () => {
  it('is created once per request, after identity and validation', async () => {
    const create = vi.fn<CreateTeamContext>(({ request, caller }) => ({
      risk: { user: caller.runAs, key: caller.key, header: request.headers.get('x-risk') },
    }));
    const gateway = await start(create);
    await gateway.load();
    create.mockClear(); // the start checks what it returns
    const headers = { authorization: 'Bearer a', 'svc-run-as': 'usr-ann', 'x-risk': '7' };
    const { data } = await gateway.query('{ a: riskUser b: riskUser }', {}, headers);
    expect(data).toEqual({ a: 'usr-ann 7', b: 'usr-ann 7' });
    expect(create).toHaveBeenCalledTimes(1);
    await gateway.query('{ nothing }');
    await gateway.query('{ riskUser }', {}, { 'svc-run-as': 'usr-ann,usr-bob' });
    expect(create).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(create.mock.results[0]!.value)).not.toContain('Bearer');
  });

  it.each([0, 1])('never reaches another request (compileAfter %i)', async (compileAfter) => {
    const users = Array.from({ length: 20 }, (_, i) => `usr-${i}`);
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    const seen: string[] = [];
    const gateway = await startGateway({
      server: {
        identity: { mode: 'passthrough' },
        credential: null,
        ...compiledAfter(compileAfter),
      },
      parts: {
        extendSchema: extension,
        async createTeamContext({ request, caller }) {
          if (caller.key !== '' && (waiting += 1) === users.length) all.resolve();
          if (caller.key !== '') await all.promise; // all are created before the first one is used
          const { headers } = request;
          return {
            risk: { user: caller.runAs, key: caller.key, header: headers.get('authorization') },
          };
        },
        plugins: [
          {
            onExecute: ({ args: { contextValue } }) =>
              void seen.push(`${contextValue.runAs} ${contextValue.risk.user}`),
          } satisfies TeamPlugin,
        ],
      },
    });
    const results = await Promise.all(
      users.map((user) =>
        gateway.query(
          '{ viewer { runAs } riskUser }',
          {},
          { authorization: `Bearer of-${user}`, 'svc-run-as': user },
        ),
      ),
    );
    expect(results.map(({ data }) => data)).toEqual(
      users.map((user) => ({ viewer: { runAs: user }, riskUser: `${user} Bearer of-${user}` })),
    );
    expect(seen.toSorted()).toEqual(users.map((user) => `${user} ${user}`).toSorted());
    expect(JSON.stringify(gateway.log)).not.toContain('Bearer');
  });

  it('is disposed when the request has ended', async () => {
    const disposed = Promise.withResolvers<void>();
    const gateway = await start(() => ({
      risk: { user: null, key: '', header: null },
      async [Symbol.asyncDispose]() {
        disposed.resolve();
      },
    }));
    expect((await gateway.query('{ riskUser }')).data).toEqual({ riskUser: 'null null' });
    await disposed.promise;
  });

  it('that cannot be disposed is logged', async () => {
    const gateway = await start(
      ({ caller }) => (caller.key === '' ? {} : { [Symbol.asyncDispose]: undefined }) as never,
    );
    expect((await gateway.query('{ __typename }')).data).toEqual({ __typename: 'Query' });
    await expect.poll(() => JSON.stringify(gateway.log)).toContain('is not a function');
  });

  it.each<[what: string, context: CreateTeamContext, cause: string]>([
    ['throws', () => Promise.reject(new Error('no risk service')), 'no risk service'],
    [
      'is aborted',
      () => Promise.reject(new DOMException('the risk service is slow', 'TimeoutError')),
      'the risk service is slow',
    ],
    [
      'returns no object',
      ({ caller }) => (caller.key === '' ? {} : undefined) as never,
      '`context` must return an object',
    ],
    [
      'returns a property of the gateway',
      ({ caller }) => (caller.key === '' ? {} : { dms: {} }) as never,
      '`context` returned the property `dms`',
    ],
  ])('fails the request if it %s', async (_what, context, cause) => {
    const gateway = await start(context);
    const { data, errors } = await gateway.query('{ riskUser }');
    expect(data).toBeFalsy();
    expect(errors!.map(({ message }) => message)).not.toContain(cause);
    expect(errors![0]!.extensions).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
    await expect.poll(() => JSON.stringify(gateway.log)).toContain(cause);
  });
});

it.each([
  ['returns no object', 1, '`context` must return an object'],
  [
    'returns a property of the gateway',
    { loaders: {} },
    '`context` returned the property `loaders`',
  ],
])('does not start with a context function that %s', async (_what, team, message) => {
  await expect(start(() => team as never)).rejects.toThrow(message);
});

describe('the context that the start checks', () => {
  it('does not keep it waiting if it is never disposed', async () => {
    const never = { [Symbol.asyncDispose]: () => new Promise<never>(() => {}) };
    const gateway = await start(() => never as never);
    await gateway.load();
    expect((await gateway.query('{ __typename }')).data).toEqual({ __typename: 'Query' });
  });

  it('is disposed if it comes too late', async () => {
    const late = Promise.withResolvers<object>();
    const disposed = Promise.withResolvers<void>();
    const gateway = await start(({ caller }) => (caller.key === '' ? late.promise : {}));
    await gateway.load();
    late.resolve({ [Symbol.dispose]: () => disposed.resolve() });
    await disposed.promise;
    expect((await gateway.query('{ __typename }')).status).toBe(200);
  });
});
