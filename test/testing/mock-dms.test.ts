import { MockAgent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../src/index.ts';
import { createResolvers, startMockDms } from '../../src/testing/index.ts';

async function start() {
  const dms = await startMockDms();
  onTestFinished(() => dms.close());
  return dms;
}

describe('startMockDms', () => {
  it('answers a gateway and records its requests', async () => {
    const dms = await start();
    dms.reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann', name_first: 'Ann' });
    await using gateway = await startGateway({ DMS_URL: dms.url });
    const response = await fetch(gateway.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer me' },
      body: '{"query":"{ person(id: \\"usr-ann\\") { firstName } }"}',
    });
    expect(await response.json()).toEqual({ data: { person: { firstName: 'Ann' } } });
    expect(dms.requests).toEqual(['GET /api/v2/person/usr-ann']);
    expect(dms.received[0]!.headers).toMatchObject({ authorization: 'Bearer me' });
  });

  it('sends status, headers and text as prepared', async () => {
    const dms = await start();
    dms
      .reply('POST', '/a', 'first', { status: 200 })
      .reply('POST', '/a', ({ body }) => `got ${body}`, { status: 503, headers: { 'x-a': 'b' } });
    const response = await fetch(`${dms.url}/a?q=%2C`, { method: 'POST', body: 'ü' });
    expect([response.status, response.headers.get('x-a')]).toEqual([503, 'b']);
    expect(await response.text()).toBe('got ü');
    expect(dms.requests).toEqual(['POST /a?q=,']);
  });

  it('answers 501 if nothing is prepared', async () => {
    const dms = await start();
    dms.reply('GET', '/a', 1);
    const { status } = await fetch(`${dms.url}/a%`);
    expect(status).toBe(501);
    expect((await fetch(`${dms.url}/a`, { method: 'PUT' })).status).toBe(501);
    expect(dms.requests).toEqual(['GET /a%', 'PUT /a']);
  });

  it('sends replies of a sequence in order, then the permanent one', async () => {
    const dms = await start();
    dms
      .reply('GET', '/a', 'always')
      .replyOnce('GET', '/a', 'first', { status: 503 })
      .replyOnce('GET', /^\/a/, 'second');
    const texts: string[] = [];
    for (let n = 0; n < 4; n += 1) texts.push(await (await fetch(`${dms.url}/a`)).text());
    expect(texts).toEqual(['first', 'second', 'always', 'always']);
    dms.verify();
  });

  it('names the closest reply to a request that has none', async () => {
    const dms = await start();
    dms.reply('GET', '/api/v2/person/usr-ann', {}).reply('GET', /^\/api\/v2\/sysForm/, []);
    const response = await fetch(`${dms.url}/api/v2/person/usr-anna?x=1`);
    expect(await response.text()).toBe(
      'GET /api/v2/person/usr-anna?x=1 was not expected. No reply matches it. The closest is GET /api/v2/person/usr-ann.',
    );
  });

  it('verifies that all replies were used and all requests expected', async () => {
    const dms = await start();
    dms.replyOnce('GET', '/a', 'once').reply('DELETE', '/b', null);
    expect(() => dms.verify()).toThrow(
      'No request used the reply to GET /a.\nNo request used the reply to DELETE /b.',
    );
    await fetch(`${dms.url}/b`, { method: 'DELETE' });
    await fetch(`${dms.url}/a`);
    dms.verify();
    await fetch(`${dms.url}/a`);
    expect(() => dms.verify()).toThrow(
      /^GET \/a was not expected\. All replies to it are used\. The closest is DELETE \/b\.$/,
    );
  });

  it('breaks the connection if the answer throws', async () => {
    const dms = await start();
    dms.reply('GET', '/a', () => {
      throw new Error('broken');
    });
    await expect(fetch(`${dms.url}/a`)).rejects.toThrow('fetch failed');
    dms.reply('GET', '/a', 'whole');
    expect(await (await fetch(`${dms.url}/a`)).text()).toBe('whole');
  });

  it('closes connections that wait for an answer', async () => {
    const asked = Promise.withResolvers<void>();
    const dms = await start();
    dms.reply('GET', '/a', () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const answer = fetch(`${dms.url}/a`);
    await asked.promise;
    await Promise.all([dms.close(), expect(answer).rejects.toThrow('fetch failed')]);
    await expect(fetch(dms.url)).rejects.toThrow('fetch failed');
  });
});

/** A person that undici's own mock returns. */
function mockAgentWith(origin: string): MockAgent {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get(origin)
    .intercept({ path: '/api/v2/person/usr-ann', method: 'GET' })
    .reply(200, { _id_sys: 'usr-ann', name_first: 'Ann' });
  return agent;
}

describe('startGateway', () => {
  it('sends requests through a given dispatcher', async () => {
    const dispatcher = mockAgentWith('http://dms.example');
    await using gateway = await startGateway({ DMS_URL: 'http://dms.example' }, { dispatcher });
    const response = await fetch(gateway.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ person(id: \\"usr-ann\\") { firstName } }"}',
    });
    expect(await response.json()).toEqual({ data: { person: { firstName: 'Ann' } } });
    dispatcher.assertNoPendingInterceptors();
  });

  it.each([
    [{ dispatcher: {} }, 'dispatcher must be a dispatcher of undici'],
    [{ dispatcher: null }, 'dispatcher must be a dispatcher of undici'],
  ])('rejects %j', async (options, message) => {
    const settings = { DMS_URL: 'http://dms.example' };
    await expect(startGateway(settings, options as never)).rejects.toThrow(message);
  });

  it('rejects a dispatcher without DMS_URL', async () => {
    const dispatcher = new MockAgent();
    await expect(startGateway({}, { dispatcher })).rejects.toThrow('dispatcher requires DMS_URL');
  });
});

describe('createResolvers', () => {
  it('sends requests through a given dispatcher', async () => {
    const dispatcher = mockAgentWith('http://dms.test');
    const { run } = createResolvers({ dispatcher });
    const { data } = await run('{ person(id: "usr-ann") { firstName } }');
    expect(data).toEqual({ person: { firstName: 'Ann' } });
    dispatcher.assertNoPendingInterceptors();
    expect((await run('{ person(id: "usr-bob") { firstName } }')).codes).toEqual([
      'UPSTREAM_UNAVAILABLE',
    ]);
  });

  it('fails with the closest reply to a call that has none', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/person/usr-ann', {});
    const { errors, codes } = await run('{ person(id: "usr-anna") { firstName } }');
    expect(codes).toEqual(['UPSTREAM_ERROR']);
    expect(errors).toMatchObject([
      {
        message:
          'GET /api/v2/person/usr-anna was not expected. No reply matches it. The closest is GET /api/v2/person/usr-ann.',
        path: ['person'],
      },
    ]);
  });

  it('throws an error that names invalid settings', () => {
    expect(() => createResolvers({ settings: { DMS_RETRIES: -1 } })).toThrow(
      'DMS_RETRIES must be an integer from 0 to 10, not "-1"',
    );
  });

  it('throws if the document is not valid', async () => {
    const { run } = createResolvers();
    await expect(run('{ nobody }')).rejects.toThrow('Cannot query field "nobody"');
    await expect(run('{ __typename } query B { __typename }')).rejects.toThrow(
      'anonymous operation',
    );
    await expect(run('query A { __typename } query B { __typename }')).rejects.toThrow(
      'The document must contain one operation.',
    );
  });

  it.each(['MAX_UPSTREAM_CALLS', 'RATE_LIMIT'])('applies %s', async (setting) => {
    const { dms, run } = createResolvers({ settings: { [setting]: 1 } });
    const { data, codes, errors } = await run(
      '{ a: person(id: "usr-a") { email } b: person(id: "usr-b") { email } }',
    );
    expect(data).toBeNull();
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(errors![0]!.message).toContain(`${setting} allows 1`);
    expect(dms.requests).toEqual([]);
  });
});
