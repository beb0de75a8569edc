import { describe, expect, it } from 'vitest';
import { startGateway } from '../../../helpers/gateway.ts';

const trace = { 'x-upstream-trace': '1', 'x-request-id': 'r-1' };
const person = '{ person(id: "usr-ann") { email } }';
const ann = { _id_sys: 'usr-ann', email: 'x' };

describe('x-upstream-trace', () => {
  it('lists the calls of an operation', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, ann);
    const { extensions } = await gateway.query(person, {}, trace);
    expect(extensions).toEqual({
      upstream: [
        {
          route: 'GET /api/v2/person/{id}',
          path: '/api/v2/person/usr-ann',
          source: 'dms',
          status: 200,
          startMs: expect.any(Number),
          ms: expect.any(Number),
          why: 'persons.get',
          attempt: 1,
        },
      ],
    });
  });

  it('shows the projection and the order of calls', async () => {
    const gateway = await startGateway();
    const id = 'd'.repeat(24);
    gateway.dms.reply('GET', /docForm/, { _id: id, author: 'usr-ann', files: [] });
    gateway.dms.reply('GET', /person/, ann);
    const query = `{ document(id: "${id}") { author { ... on Person { email } } recoData { validated } response { id } } }`;
    const { extensions } = await gateway.query(query, {}, trace);
    const [document, author] = extensions!['upstream'] as {
      startMs: number;
      ms: number;
      path: string;
      fields?: string[];
    }[];
    const [line = ''] = gateway.dms.requests;
    const sent = new URLSearchParams(line.slice(line.indexOf('?')));
    expect(document).toMatchObject({
      fields: sent.get('fields')!.split(','),
      embed: sent.get('embed')!.split(','),
    });
    expect(document!.fields).toContain('author');
    expect(document!.path).toBe(`/api/v2/docForm/${id}`);
    expect(author).not.toHaveProperty('fields');
    expect(document!.startMs).toBeGreaterThanOrEqual(0);
    expect(author!.startMs).toBeGreaterThanOrEqual(document!.startMs + document!.ms);
  });

  it('shows what else a call asks for beside its projection', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /docForm/, [], { headers: { 'svc-total-count': '0' } });
    const { extensions } = await gateway.query(
      '{ documents(view: INBOX, first: 5, filter: { tags: ["finance"] }) { nodes { shortId } } }',
      {},
      trace,
    );
    const path = '/api/v2/docForm/view/inbox?first=0&pageSize=5&tags=finance';
    expect(extensions).toMatchObject({ upstream: [{ path }] });
  });

  it('marks reads that the cache or another operation served', async () => {
    const gateway = await startGateway({ http: { cacheTtlMs: 60_000 } });
    const forms = '{ forms { title } }';
    const released = Promise.withResolvers<void>();
    gateway.dms.reply('GET', /person/, () => released.promise.then(() => ann));
    gateway.dms.reply('GET', /sysForm/, []);
    await gateway.query(forms);
    const both = [gateway.query(person, {}, trace), gateway.query(person, {}, trace)];
    await expect.poll(() => gateway.metrics.text()).toMatch(/reads_total\{outcome="shared"\} 1$/m);
    released.resolve();
    const traces = (await Promise.all(both)).map(({ extensions }) => extensions?.['upstream']);
    expect(traces).toHaveLength(2);
    expect(traces).toContainEqual([
      expect.objectContaining({ source: 'dms', status: 200, why: 'persons.get' }),
    ]);
    expect(traces).toContainEqual([
      expect.objectContaining({ source: 'shared', status: null, why: 'persons.get', attempt: 1 }),
    ]);
    const cached = await gateway.query(
      `{ ${person.slice(1, -1)} ${forms.slice(1, -1)} }`,
      {},
      trace,
    );
    expect(cached.extensions).toMatchObject({
      upstream: [
        { route: 'GET /api/v2/person/{id}', source: 'cache', status: null },
        { route: 'GET /api/v2/sysForm', source: 'cache', status: null, why: 'forms.all' },
      ],
    });
    expect(gateway.dms.requests).toHaveLength(2);
  });

  it('shows a shared read that failed', async () => {
    const gateway = await startGateway({ http: { retries: 0 } });
    const released = Promise.withResolvers<void>();
    gateway.dms.reply('GET', /person/, () => released.promise.then(() => ''), { status: 500 });
    const both = [gateway.query(person, {}, trace), gateway.query(person, {}, trace)];
    await expect.poll(() => gateway.metrics.text()).toMatch(/reads_total\{outcome="shared"\} 1$/m);
    released.resolve();
    const results = await Promise.all(both);
    expect(results.map(({ errors }) => errors?.length)).toEqual([1, 1]);
    expect(results.map(({ extensions }) => extensions)).toContainEqual({
      upstream: [expect.objectContaining({ source: 'shared', status: null })],
    });
  });

  it('lists the calls of an operation that failed', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, '', { status: 500 });
    const { extensions, errors } = await gateway.query(person, {}, trace);
    expect(errors).toHaveLength(1);
    expect(extensions).toMatchObject({ upstream: [{ status: 500 }] });
  });

  it('is returned only on request and if allowed', async () => {
    const open = await startGateway();
    expect((await open.query(person)).extensions).toBeUndefined();
    const closed = await startGateway({ server: { upstreamTrace: false } });
    expect((await closed.query(person, {}, trace)).extensions).toBeUndefined();
  });
});
