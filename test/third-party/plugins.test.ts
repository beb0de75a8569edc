import { useGenericAuth } from '@envelop/generic-auth';
import { usePrometheus } from '@graphql-yoga/plugin-prometheus';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { Gauge } from 'prom-client';
import { describe, expect, it } from 'vitest';
import {
  defineGateway,
  startGateway as startWithConfig,
  type CreateTeamPlugins,
  type TeamPlugin,
} from '../../src/index.ts';
import { resolverError } from '../../src/schema/public.ts';
import { refusingUrl } from '../helpers/failing-dms.ts';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { startGateway } from '../helpers/gateway.ts';
import { answersInParts, queryParts } from '../helpers/result-parts.ts';

/* Plugins of Yoga and Envelop as a team configures them. */

/** A gateway in passthrough mode whose DMS answers with the user who asks. */
async function start(...plugins: TeamPlugin[]) {
  const gateway = await startGateway({
    server: { identity: { mode: 'passthrough' }, credential: null },
    parts: { plugins },
  });
  gateway.dms.reply('GET', /^\/api\/v2\/person\//, ({ path, headers }) => ({
    _id_sys: path.split('/').at(-1),
    email: `${headers['authorization']} ${headers['svc-run-as'] ?? ''}`,
  }));
  return gateway;
}

const query = '{ person(id: "usr-ann") { email } }';
const graphqlJson = 'application/graphql-response+json';

describe('@graphql-yoga/plugin-response-cache', () => {
  const cache = () =>
    useResponseCache({
      session: ({ headers }) => `${headers.get('authorization')}\n${headers.get('svc-run-as')}`,
      ttl: 60_000,
    });

  it('caches the result of a query for its caller alone', async () => {
    const gateway = await start(cache());
    const asked = async (authorization: string, runAs: string): Promise<unknown> => {
      const { data } = await gateway.query(query, {}, { authorization, 'svc-run-as': runAs });
      return data.person.email;
    };
    for (const [authorization, runAs] of [
      ['Bearer a', 'usr-ann'],
      ['Bearer a', 'usr-ann'],
      ['Bearer a', 'usr-bob'],
      ['Bearer b', 'usr-ann'],
      ['Bearer b', 'usr-ann'],
    ] as const) {
      expect(await asked(authorization, runAs)).toBe(`${authorization} ${runAs}`);
    }
    expect(gateway.dms.requests).toHaveLength(3);
  });

  it('does not answer a request without a valid identity', async () => {
    const gateway = await start(cache());
    await gateway.query(query, {}, { authorization: 'Bearer a' });
    const invalid = { authorization: 'Bearer a', 'svc-run-as': 'usr-ann,usr-bob' };
    const { status, errors } = await gateway.query(query, {}, invalid);
    expect(status).toBe(400);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

describe('@envelop/generic-auth with the rules of docs/extend.md', () => {
  const requiredRoles: Readonly<Record<string, string | undefined>> = {
    'Query.budget': 'finance',
    'Mutation.deleteOrganization': 'admin',
    'Person.email': 'finance',
  };
  const rolesOf = async (user: string | null) => (user === 'usr-ann' ? ['finance'] : []);
  const plugins: readonly TeamPlugin[] = [
    useGenericAuth({
      mode: 'protect-granular',
      resolveUserFn: ({ runAs }: { runAs: string | null }) => rolesOf(runAs),
      validateUser({ user, parentType, field }) {
        const name = `${parentType.name}.${field.name}`;
        const role = requiredRoles[name];
        if (role === undefined || user.includes(role)) return undefined;
        return resolverError('FORBIDDEN', `${name} requires the role ${role}.`);
      },
    }),
  ];
  const { schema: extendSchema } = defineGateway({
    plugins,
    schema: (builder) => builder.queryField('budget', (t) => t.int({ resolve: () => 1000 })),
  });
  const startWith = async (compileAfter: number) => {
    const gateway = await startGateway({
      server: {
        identity: { mode: 'passthrough' },
        credential: null,
        ...compiledAfter(compileAfter),
      },
      parts: { plugins, extendSchema },
    });
    gateway.dms.reply('GET', /^\/api\/v2\/person\//, { _id_sys: 'usr-ann', email: 'a@b.c' });
    return gateway;
  };
  const ann = { 'svc-run-as': 'usr-ann' };
  const bob = { 'svc-run-as': 'usr-bob' };
  const remove =
    'mutation { deleteOrganization(input: { id: "5f0000000000000000000001" }) { __typename } }';

  it.each([0, 1])('allows fields by the role of the caller (compileAfter %i)', async (after) => {
    const gateway = await startWith(after);
    for (const text of ['{ budget }', query, '{ ...Own } fragment Own on Query { budget }']) {
      const allowed = await gateway.query(text, {}, ann);
      expect(allowed.errors).toBeUndefined();
      expect(allowed.data).not.toBeNull();
      const refused = await gateway.query(text, {}, { ...bob, accept: graphqlJson });
      expect(refused).toMatchObject({
        status: 403,
        data: undefined,
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
    }
    expect(gateway.dms.requests).toEqual(['GET /api/v2/person/usr-ann']);
    const { errors } = await gateway.query(remove, {}, ann);
    expect(errors).toMatchObject([
      { message: 'Mutation.deleteOrganization requires the role admin.' },
    ]);
    expect(gateway.dms.requests).toHaveLength(1);
  });

  it.runIf(answersInParts)('refuses a deferred field before anything is sent', async () => {
    const gateway = await startWith(0);
    const parts = await queryParts(
      gateway,
      '{ viewer { runAs } ... @defer { person(id: "usr-ann") { email } } }',
      { headers: bob },
    );
    expect(parts).toMatchObject([{ errors: [{ extensions: { code: 'FORBIDDEN' } }] }]);
    expect(gateway.dms.requests).toEqual([]);
  });
});

/** The context as a plugin finds it before the operation is executed. */
interface EarlyContext {
  readonly runAs: string | null;
  readonly isFinance?: boolean;
}

describe('the context of a plugin', () => {
  it.each([true, false])(
    'has the user and what the team adds (HTTP hooks: %s)',
    async (hasHttp) => {
      const auth = useGenericAuth({
        mode: 'protect-all',
        resolveUserFn: ({ runAs, isFinance }: EarlyContext) => (isFinance ? { runAs } : null),
      });
      const gateway = await startGateway({
        server: { identity: { mode: 'passthrough' }, credential: null },
        parts: {
          plugins: [auth, ...(hasHttp ? [{ onResponse() {} }] : [])],
          createTeamContext: ({ caller }) => ({ isFinance: caller.runAs === 'usr-ann' }) as never,
        },
      });
      const { data } = await gateway.query('{ viewer { runAs } }', {}, { 'svc-run-as': 'usr-ann' });
      expect(data).toEqual({ viewer: { runAs: 'usr-ann' } });
      const { errors } = await gateway.query(
        '{ viewer { runAs } }',
        {},
        { 'svc-run-as': 'usr-bob' },
      );
      expect(errors![0]!.extensions['code']).toBe('UNAUTHORIZED_FIELD_OR_TYPE');
    },
  );
});

describe('the metrics of a plugin', () => {
  const startWith = async (plugins: CreateTeamPlugins) =>
    startWithConfig({ DMS_URL: await refusingUrl() }, { config: defineGateway({ plugins }) });
  const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

  it('are part of /metrics', async () => {
    await using gateway = await startWith(({ registry }) => [
      usePrometheus({ registry, metrics: { graphql_envelop_request: true } }),
    ]);
    await textOf(`${gateway.graphqlUrl}?query={__typename}`);
    const metrics = await textOf(`${gateway.url}/metrics`);
    expect(metrics).toMatch(/^gateway_requests_in_flight 1$/m);
    expect(metrics).toMatch(/^# TYPE graphql_envelop_request counter$/m);
  });

  it('belong to one gateway of several in a process', async () => {
    const plugins: CreateTeamPlugins = ({ registry }) => {
      const started = new Gauge({ name: 'started', help: 'x', registers: [registry] });
      return [{ onPluginInit: () => started.inc() }];
    };
    await using one = await startWith(plugins);
    await using other = await startWith(plugins);
    for (const { url } of [one, other]) {
      expect(await textOf(`${url}/metrics`)).toMatch(/^started 1$/m);
    }
  });

  it('end the start if a name is taken, or the function returns no list', async () => {
    await expect(
      startWith(({ registry }) => {
        const name = 'gateway_requests_total';
        return [{ onPluginInit: () => new Gauge({ name, help: 'x', registers: [registry] }) }];
      }),
    ).rejects.toThrow('gateway_requests_total has already been registered');
    await expect(startWith((() => ({})) as never)).rejects.toThrow('must return a list of plugins');
  });
});

describe('a plugin of a team', () => {
  it('sees requests that identity and CSRF protection refuse', async () => {
    const statuses: number[] = [];
    const gateway = await start({
      onResponse: ({ response }) => void statuses.push(response.status),
    });
    await gateway.query(query, {}, { 'svc-run-as': 'usr-ann,usr-bob' });
    await gateway.fetch(`/graphql?query=${encodeURIComponent(query)}`);
    await gateway.query(query);
    await expect.poll(() => statuses).toEqual([400, 403, 200]);
  });
});
