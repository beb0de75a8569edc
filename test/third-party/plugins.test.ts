import { useGenericAuth } from '@envelop/generic-auth';
import { usePrometheus } from '@graphql-yoga/plugin-prometheus';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { getOperationAST, NoSchemaIntrospectionCustomRule } from 'graphql';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { defineGateway, type TeamPlugin } from '../../src/index.ts';
import { startGateway } from '../helpers/gateway.ts';

/* Plugins of Yoga and Envelop as a team configures them. */

/** A gateway in passthrough mode whose DMS answers with the user who asks. */
async function start(...plugins: TeamPlugin[]) {
  const { plugins: added } = defineGateway({ plugins });
  const gateway = await startGateway({
    server: { identity: { mode: 'passthrough' }, credential: null },
    parts: { plugins: added! },
  });
  gateway.dms.reply('GET', /^\/api\/v2\/person\//, ({ path, headers }) => ({
    _id_sys: path.split('/').at(-1),
    email: `${headers['authorization']} ${headers['svc-run-as'] ?? ''}`,
  }));
  return gateway;
}

const query = '{ person(id: "usr-ann") { email } }';

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

describe('@envelop/generic-auth', () => {
  it('rejects operations before anything is sent to the DMS', async () => {
    const gateway = await start(
      useGenericAuth({
        mode: 'protect-all',
        resolveUserFn: ({ request }: { request: Request }) =>
          request.headers.get('x-team') === 'finance' ? { team: 'finance' } : null,
      }),
    );
    const rejected = await gateway.query(query);
    expect(rejected.data).toBeFalsy();
    expect(rejected.errors![0]!.extensions['code']).toBe('UNAUTHORIZED_FIELD_OR_TYPE');
    expect(gateway.dms.requests).toEqual([]);
    const { data } = await gateway.query(query, {}, { 'x-team': 'finance' });
    expect(data).toMatchObject({ person: {} });
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

  it('has the user when the context is built', async () => {
    const seen: unknown[] = [];
    const gateway = await start({
      onContextBuilding: ({ context }) => void seen.push(context.runAs),
    });
    await gateway.query(query, {}, { 'svc-run-as': 'usr-ann' });
    expect(seen).toEqual(['usr-ann']);
  });
});

describe('@graphql-yoga/plugin-prometheus', () => {
  it('counts operations', async () => {
    const registry = new Registry();
    const gateway = await start(
      usePrometheus({
        registry,
        endpoint: false,
        metrics: { graphql_yoga_http_duration: true, graphql_envelop_request: true },
        labels: { statusCode: true },
      }),
    );
    await gateway.query(query);
    const metrics = async (): Promise<string> => registry.metrics();
    await expect.poll(metrics).toMatch(/graphql_yoga_http_duration_count\{[^}]*statusCode="200"/);
    expect(await metrics()).toContain('graphql_envelop_request');
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

  it('adds validation rules', async () => {
    const gateway = await start({
      onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule),
    });
    const { errors } = await gateway.query('{ __schema { queryType { name } } }');
    expect(errors![0]!.message).toContain('introspection');
    expect((await gateway.query(query)).data).toMatchObject({ person: {} });
  });

  it('that throws fails its request, is logged, and reveals nothing', async () => {
    const gateway = await start({
      onExecute({ args }) {
        if (getOperationAST(args.document)?.name?.value === 'Bad')
          throw new Error('a secret of the plugin');
      },
    });
    const bad = await gateway.query(`query Bad ${query}`);
    expect(bad.errors![0]!.extensions['code']).toBe('INTERNAL_SERVER_ERROR');
    expect(JSON.stringify(bad)).not.toContain('secret');
    expect(JSON.stringify(gateway.log)).toContain('a secret of the plugin');
    expect((await gateway.query(query)).data).toMatchObject({ person: {} });
  });
});
