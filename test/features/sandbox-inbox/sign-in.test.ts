import { networkInterfaces } from 'node:os';
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSandboxSignIn } from '../../../src/features/sandbox-inbox/sign-in.ts';
import { startGatewayOnSandbox } from '../../helpers/gateway.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';
import { rawRequest } from '../../helpers/raw-request.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

interface Person {
  readonly systemId: string;
  readonly token: string;
}

interface People {
  readonly people: readonly Person[];
  readonly expiresAt: string;
}

const inbox = '{ viewer { runAs } documents(view: INBOX) { totalCount } }';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

async function listPeople(fetch: Fetch): Promise<People> {
  const response = await fetch('/sandbox/people');
  expect(response.status).toBe(200);
  return (await response.json()) as People;
}

async function tokenOf(fetch: Fetch, systemId: string): Promise<string> {
  const { people } = await listPeople(fetch);
  return people.find((person) => person.systemId === systemId)!.token;
}

async function statusWith(url: string, headers: Record<string, string>): Promise<number> {
  return (await rawRequest(url, '/sandbox/people', headers)).status;
}

describe('/sandbox/people', () => {
  it('lists the active persons with tokens of 15 minutes', async () => {
    const gateway = await startGatewayOnSandbox();
    const before = Math.floor(Date.now() / 1000);
    const response = await gateway.fetch('/sandbox/people');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const { people, expiresAt } = (await response.json()) as People;
    expect(people).toHaveLength(16);
    expect(people.map(({ systemId }) => systemId)).not.toContain('usr-ivan');
    const { token, ...greta } = people.find(({ systemId }) => systemId === 'usr-greta')!;
    expect(greta).toEqual({
      systemId: 'usr-greta',
      name: 'Greta Möller',
      email: 'greta@example.com',
      unit: 'Records',
      roles: ['elAdminDocsR'],
    });
    const { exp = 0, ...claims } = decodeJwt(token);
    expect(claims).toEqual({ sub: 'usr-greta', iss: 'embedded-sandbox', aud: 'gateway' });
    expect(new Date(exp * 1000).toISOString()).toBe(expiresAt);
    expect(exp - before).toBeGreaterThanOrEqual(900);
    expect(exp - before).toBeLessThan(960);
  });

  it('is refused to pages of other origins and under unknown host names', async () => {
    const { url } = await startGatewayOnSandbox({
      server: { corsOrigins: ['https://app.example'] },
    });
    const refused: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of refused) {
      expect([headers, await statusWith(url, headers)]).toEqual([headers, 403]);
    }
  });

  it('gives no tokens to other machines, unless SANDBOX_SIGN_IN=any', async () => {
    // A connection to an address of this machine that is not a loopback address also comes from it.
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    const statusesFor = async (sandboxSignIn: 'local' | 'any') => {
      const { url } = await startGatewayOnSandbox({
        listenOn: '0.0.0.0',
        server: { sandboxSignIn },
      });
      const { port } = new URL(url);
      const local = `http://127.0.0.1:${port}`;
      return {
        // A proxy on this machine passes on the name that its clients use.
        viaProxy: await statusWith(local, { host: 'x' }),
        ...(address && { remote: await statusWith(`http://${address}:${port}`, {}) }),
        local: await statusWith(local, { host: `localhost:${port}` }),
      };
    };
    expect(await statusesFor('local')).toEqual({
      viaProxy: 404,
      ...(address && { remote: 404 }),
      local: 200,
    });
    expect(await statusesFor('any')).toEqual({
      viaProxy: 200,
      ...(address && { remote: 200 }),
      local: 200,
    });
  });

  it('is allowed to its own pages and to those of CORS_ORIGINS', async () => {
    const app = 'https://app.example';
    const { url, fetch } = await startGatewayOnSandbox({ server: { corsOrigins: [app] } });
    expect(await statusWith(url, { origin: url, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await statusWith(url, { 'sec-fetch-site': 'none' })).toBe(200);
    expect(await statusWith(url, { origin: app, 'sec-fetch-site': 'cross-site' })).toBe(200);
    const preflight = (origin: string) =>
      fetch('/sandbox/people', { method: 'OPTIONS', headers: { origin } });
    const allowed = (response: Response) => response.headers.get('access-control-allow-origin');
    expect(allowed(await preflight(app))).toBe(app);
    expect(allowed(await preflight('https://evil.example'))).toBeNull();

    const posted = await fetch('/sandbox/people', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('a token of the sandbox', () => {
  it('shows what its person sees', async () => {
    const { query, fetch } = await startGatewayOnSandbox();
    const { data: account } = await query(inbox);
    expect(account).toEqual({ viewer: { runAs: null }, documents: { totalCount: 26 } });
    const { data: jonas } = await query(inbox, {}, bearer(await tokenOf(fetch, 'usr-jonas')));
    expect(jonas).toEqual({ viewer: { runAs: 'usr-jonas' }, documents: { totalCount: 0 } });
  });

  it('never lets the client choose another user', async () => {
    const { query, fetch, requests } = await startGatewayOnSandbox();
    const headers = { ...bearer(await tokenOf(fetch, 'usr-jonas')), 'svc-run-as': 'usr-ann' };
    requests.length = 0;
    const { status, errors } = await query(inbox, {}, headers);
    expect([status, errors?.[0]?.extensions['code']]).toEqual([403, 'FORBIDDEN']);
    expect(requests).toEqual([]);
  });

  it('is rejected if it expired or was not issued by this gateway', async () => {
    const { query, sandbox } = await startGatewayOnSandbox();
    const signed = (secret: string, exp: string) =>
      new SignJWT({ sub: 'usr-ann', iss: 'embedded-sandbox', aud: 'gateway' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(exp)
        .sign(new TextEncoder().encode(secret));
    const other = createSandboxSignIn({ ...sandbox, tokenSecret: 'of another start' });
    const { people } = await other.people();
    const tokens = [await signed(sandbox.authorization, '1h'), people[0]!.token, 'x', ''];
    for (const token of tokens) {
      const { status, errors } = await query(inbox, {}, bearer(token));
      expect([status, errors?.[0]?.extensions['code']]).toEqual([401, 'UNAUTHENTICATED']);
    }

    const expired = createSandboxSignIn({ ...sandbox, tokenSecret: 's', lifetimeS: -10 });
    const [ann] = (await expired.people()).people;
    const gateway = await startGatewayOnSandbox({
      sandbox: { authorization: sandbox.authorization, tokenSecret: 's' },
    });
    const { errors } = await gateway.query(inbox, {}, bearer(ann!.token));
    expect(errors?.[0]?.message).toBe('The token has expired.');
  });

  it('binds file links to its person', async () => {
    const { query, fetch, url } = await startGatewayOnSandbox();
    const files = '{ documents(view: INBOX, first: 1) { nodes { files { url } } } }';
    const linkFor = async (headers?: Record<string, string>): Promise<string> => {
      const { data } = await query(files, {}, headers);
      return (data.documents.nodes[0].files[0].url as string).slice(url.length);
    };
    const ann = bearer(await tokenOf(fetch, 'usr-ann'));
    const bob = bearer(await tokenOf(fetch, 'usr-bob'));
    const ofAnn = await linkFor(ann);
    const ofAccount = await linkFor();
    const status = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
      const response = await fetch(path, { headers });
      await response.body?.cancel();
      return response.status;
    };
    expect(await status(ofAnn)).toBe(200);
    expect(await status(ofAnn, ann)).toBe(200);
    expect(await status(ofAnn, bob)).toBe(403);
    expect(await status(ofAccount)).toBe(200);
    expect(await status(ofAccount, bob)).toBe(403);
  });
});

describe('a gateway process', () => {
  const viewer = async (url: string, headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"query":"{ viewer { runAs } }"}',
    });
    return response.json();
  };

  it('has the sign-in with the embedded sandbox, in every worker', async () => {
    const url = await addressOf(spawnGateway({ DATA_DIR: temporaryDirectory(), WORKERS: '2' }));
    const token = await tokenOf((path) => fetch(url + path), 'usr-ann');
    // Each request has its own connection, which the kernel assigns to any worker.
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => viewer(url, { ...bearer(token), connection: 'close' })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"data":{"viewer":{"runAs":"usr-ann"}}}']),
    );
  });
});
