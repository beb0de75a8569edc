import { request, type RequestListener } from 'node:http';
import { createHmac } from 'node:crypto';
import {
  exportPKCS8,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createIdentity } from '../../../src/server/identity/index.ts';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import {
  startGateway,
  startGatewayBefore,
  type TestGateway,
  type TestGatewayOptions,
} from '../../helpers/gateway.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';
import { startKeyServer } from '../../helpers/key-server.ts';
import { passable } from '../../helpers/passable-clock.ts';

const secret = 'a secret of more than 32 characters, shared';
const key = new TextEncoder().encode(secret);
const who = '{ viewer { runAs } }';
const persons = '{ person(id: "usr-ann") { email } }';
const rename = 'mutation { updatePerson(input: { id: "usr-ann", firstName: "x" }) { __typename } }';

const jwtMode = {
  ...jwtIdentity,
  secret,
  issuer: 'https://id.example',
  audience: 'gateway',
};

/** `undefined` omits a claim. */
type Claims = { [N in keyof JWTPayload]?: JWTPayload[N] | undefined };

function token(
  claims: Claims = {},
  header: JWTHeaderParameters = { alg: 'HS256' },
  by: CryptoKey | Uint8Array = key,
) {
  const all: Claims = {
    email: 'ann@example.com',
    iss: 'https://id.example',
    aud: 'gateway',
    exp: secondsFromNow(600),
    ...claims,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(given)).setProtectedHeader(header).sign(by);
}

function unsigned(): string {
  return new UnsecuredJWT({ email: 'ann@example.com', iss: 'https://id.example', aud: 'gateway' })
    .setExpirationTime('1h')
    .encode();
}

function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

function bearer(value: string): Record<string, string> {
  return { authorization: `Bearer ${value}` };
}

/** The credential and run-as of an upstream call. */
async function sentAs(
  gateway: Awaited<ReturnType<typeof startGateway>>,
  headers: Record<string, string> = {},
) {
  gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'ann@example.com' });
  await gateway.query(persons, {}, headers);
  const sent = gateway.dms.received.at(-1)?.headers;
  return sent && { authorization: sent['authorization'], runAs: sent['svc-run-as'] };
}

/** Sends a query with two Authorization headers. @returns the status */
function sendTwice({ url }: TestGateway, ...authorization: string[]) {
  return new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${url}/graphql`, { method: 'POST', headers, agent: false });
    sent.setHeader('authorization', authorization);
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.end(JSON.stringify({ query: persons }));
  });
}

const startJwt = (options: Partial<typeof jwtMode> = {}) =>
  startGateway({ server: { identity: { ...jwtMode, ...options } } });

describe('passthrough', () => {
  const options: TestGatewayOptions = {
    server: { identity: { mode: 'passthrough' }, credential: null },
  };

  it('forwards credential and run-as of the client', async () => {
    const gateway = await startGateway(options);
    const headers = { authorization: 'Basic YW5uOng=', 'svc-run-as': 'usr-ann' };
    expect(await sentAs(gateway, headers)).toEqual({
      authorization: 'Basic YW5uOng=',
      runAs: 'usr-ann',
    });
    expect((await gateway.query(who, {}, headers)).data.viewer.runAs).toBe('usr-ann');
  });

  it('forwards every one of several credentials', async () => {
    const gateway = await startGateway(options);
    gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'ann@example.com' });
    await sendTwice(gateway, 'Bearer one', 'Bearer two');
    expect(gateway.dms.received[0]?.headers['authorization']).toBe('Bearer one, Bearer two');
  });

  it('sends nothing if the client sends nothing', async () => {
    const gateway = await startGateway(options);
    expect(await sentAs(gateway)).toEqual({ authorization: undefined, runAs: undefined });
  });

  it('forwards every byte of a credential', async () => {
    const sent: string[] = [];
    const dms = await startFailingDms((received, response) => {
      sent.push(received.headers.authorization ?? '');
      response.end('{"_id_sys":"usr-ann","email":"x"}');
    });
    const gateway = await startGatewayBefore(dms.url, options);
    const authorization = 'Basic caf\u00e9\u0080\u00ff'; // one byte each
    for (const query of [persons, rename]) {
      const headers = { authorization, 'content-type': 'application/json' };
      await new Promise((resolve, reject) => {
        const req = request(`${gateway.url}/graphql`, { method: 'POST', headers });
        req.once('error', reject).once('response', (res) => res.resume().once('end', resolve));
        req.end(Buffer.from(JSON.stringify({ query }))); // with a string body, Node encodes the headers in UTF-8
      });
    }
    expect(sent).toEqual([authorization, authorization]);
  });

  it.each(['usr-ann, usr-bob', 'ann and bob', 'änn@example.com', 'x'.repeat(257)])(
    'rejects %s as run-as',
    async (runAs) => {
      const gateway = await startGateway(options);
      const { status } = await gateway.post({ query: persons }, { 'svc-run-as': runAs });
      expect(status).toBe(400);
      expect(gateway.dms.requests).toEqual([]);
    },
  );
});

describe('the key of a caller', () => {
  const runAsHeader = 'svc-run-as';

  it('separates credential and run-as', async () => {
    const { identify } = createIdentity(
      { identity: { mode: 'passthrough' }, credential: null, runAsHeader, forwardHeaders: [] },
      () => {},
    );
    const one = await identify({ authorization: 'Basic a:', [runAsHeader]: 'b' });
    const other = await identify({ authorization: 'Basic a', [runAsHeader]: ':b' });
    expect(one.key).not.toBe(other.key);
  });

  describe('of a forwarded credential', () => {
    const { identify } = createIdentity(
      { identity: { mode: 'passthrough' }, credential: null, runAsHeader, forwardHeaders: [] },
      () => {},
    );
    const keyOf = async (authorization?: string): Promise<string> =>
      (await identify({ ...(authorization !== undefined && { authorization }) })).key;

    it.each([
      ['Bearer t', 'bEARER t'],
      ['Bearer t', 'Bearer    t'],
      ['Bearer t', 'BEARER\t \tt'],
      ['Basic YW5uOng=', 'basic  YW5uOng='],
      ['Digest username="ann", uri="/"', 'DIGEST  username="ann", uri="/"'],
    ])('is the same for %j and %j', async (one, other) => {
      expect(await keyOf(other)).toBe(await keyOf(one));
    });

    it.each([
      ['the credentials', 'Bearer t', 'Bearer T'],
      ['the scheme', 'Bearer t', 'Basic t'],
      ['spaces within the credentials', 'Digest a="x",  b="y"', 'Digest a="x", b="y"'],
      ['the case of a parameter', 'Digest Realm="x"', 'Digest realm="x"'],
      // Not of the form of RFC 9110: it may be a key, in which case matters.
      ['a value without a scheme', 'AbC', 'abc'],
      ['a value that begins with no scheme', 'Key:A t', 'key:a t'],
      ['a scheme without credentials', 'Negotiate', 'Negotiate t'],
      ['several credentials', 'Bearer a, Bearer b', 'Bearer a'],
      ['an unset header', '', undefined],
      ['a space that is none', 'Bearer\u00a0t', 'bearer\u00a0t'],
    ])('differs in %s', async (_, one, other) => {
      expect(await keyOf(one)).not.toBe(await keyOf(other));
    });

    it('is forwarded as the client spells it', async () => {
      const caller = await identify({ authorization: 'bEARER  t' });
      expect(caller.authorization).toBe('bEARER  t');
    });
  });

  it('separates users of different service accounts', async () => {
    const keyOf = async (authorization: string): Promise<string> => {
      const identity = createIdentity(
        {
          identity: jwtMode,
          credential: { kind: 'fixed', authorization },
          runAsHeader,
          forwardHeaders: [],
        },
        () => {},
      );
      return (await identity.identify(bearer(await token()))).key;
    };
    expect(await keyOf('Bearer one')).not.toBe(await keyOf('Bearer other'));
    expect(await keyOf('Bearer one')).toBe(await keyOf('Bearer one'));
  });
});

describe('service', () => {
  it('rejects the link of a user', () => {
    const identity = createIdentity(
      {
        identity: { mode: 'service' },
        credential: { kind: 'fixed', authorization: 'Bearer dms' },
        runAsHeader: 'svc-run-as',
        forwardHeaders: [],
      },
      () => {},
    );
    expect(() => identity.callerOfLink({ runAs: 'usr-ann' }, {})).toThrow(
      'The file link was issued to another user.',
    );
    expect(identity.callerOfLink({ runAs: null }, {})).toMatchObject({ runAs: null });
  });

  it('uses the service account for every client', async () => {
    const gateway = await startGateway();
    expect(await sentAs(gateway, bearer('of-the-client'))).toEqual({
      authorization: 'Bearer service',
      runAs: undefined,
    });
  });

  it.each(['usr-boss', ''])('rejects the run-as %j of a client', async (runAs) => {
    const gateway = await startGateway();
    const { status, errors } = await gateway.query(persons, {}, { 'svc-run-as': runAs });
    expect(status).toBe(403);
    expect(errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
    expect(gateway.dms.requests).toEqual([]);
  });

  it('uses the configured run-as header', async () => {
    const gateway = await startGateway({ server: { runAsHeader: 'x-act-as' } });
    expect((await gateway.query(persons, {}, { 'x-act-as': 'usr-boss' })).status).toBe(403);
  });
});

describe('a signing service account', () => {
  const credential = {
    kind: 'signed' as const,
    accountId: 'api-gateway',
    key: 'the key of the account',
    algorithm: 'HS256',
  };

  it('signs each call for its method and path', async () => {
    const gateway = await startGateway({ server: { credential } });
    const sent = await sentAs(gateway);
    const [header = '', payload = '', signature] = (sent?.authorization ?? '').slice(7).split('.');
    const { exp, iat, nbf, ...claims } = decode(payload);
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(claims).toEqual({ sub: 'api-gateway', aud: 'GET:/api/v2/person/usr-ann' });
    expect(exp! - iat!).toBe(300);
    expect(nbf).toBe(iat);
    expect(exp! * 1000).toBeGreaterThan(Date.now());
    const expected = createHmac('sha256', credential.key).update(`${header}.${payload}`);
    expect(signature).toBe(expected.digest('base64url'));
  });

  it.each(['RS256', 'ES256'])('signs calls with the private key of %s', async (algorithm) => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const pair = { ...credential, key: await exportPKCS8(privateKey), algorithm };
    const sent = await sentAs(await startGateway({ server: { credential: pair } }));
    const { payload, protectedHeader } = await jwtVerify(
      (sent?.authorization ?? '').replace(/^Bearer /, ''),
      publicKey,
      { audience: 'GET:/api/v2/person/usr-ann', subject: 'api-gateway', algorithms: [algorithm] },
    );
    expect(protectedHeader).toEqual({ alg: algorithm, typ: 'JWT' });
    expect(payload.exp! - payload.iat!).toBe(300);
  });

  /** Returns the tokens of a call before and a call after `change`. */
  async function tokensAround(change: () => void, document = persons, status = 200) {
    const gateway = await startGateway({ server: { credential } });
    const answer = { _id_sys: 'usr-ann', email: 'x' };
    gateway.dms.reply('GET', /person/, answer, { status });
    gateway.dms.reply('POST', /person/, answer, { status });
    await gateway.query(document);
    change();
    await gateway.query(document);
    expect(gateway.dms.requests).toHaveLength(2); // no call is retried
    return gateway.dms.received.map(({ headers }) => headers['authorization']);
  }

  it('reuses a token for a limited time', async () => {
    const [first, second] = await tokensAround(() => {});
    expect(second).toBe(first);
  });

  it.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])('signs again after the clock was set %s', async (_where, byMs) => {
    const [, second] = await tokensAround(() => setClock(byMs));
    const { nbf, exp } = decode(second!.split('.')[1]!);
    expect(nbf! * 1000).toBeLessThanOrEqual(Date.now());
    expect(exp! * 1000).toBeGreaterThan(Date.now());
  });

  it.each([
    ['read', persons],
    ['write', rename],
  ])('signs again after a 401 to a %s without retrying', async (_what, document) => {
    // Only the second call differs in signed content.
    const [first, second] = await tokensAround(() => setClock(1000), document, 401);
    expect(second).not.toBe(first);
  });
});

/** Changes the system clock. The monotonic clock continues. */
function setClock(byMs: number, from = Date.now()): void {
  vi.useFakeTimers({ toFake: ['Date'], now: from + byMs });
  onTestFinished(() => void vi.useRealTimers());
}

function decode(part: string): Record<string, number> & { aud?: string } {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

describe('jwt', () => {
  it('runs as the user of the token', async () => {
    const gateway = await startJwt();
    expect(await sentAs(gateway, bearer(await token()))).toEqual({
      authorization: 'Bearer service',
      runAs: 'ann@example.com',
    });
  });

  it('reads the configured claim', async () => {
    const gateway = await startJwt({ runAsClaim: 'dms_user' });
    const { data } = await gateway.query(who, {}, bearer(await token({ dms_user: 'usr-ann' })));
    expect(data.viewer.runAs).toBe('usr-ann');
  });

  it('rejects two tokens, although each is valid', async () => {
    const gateway = await startJwt();
    const valid = `Bearer ${await token()}`;
    expect(await sendTwice(gateway, valid, valid)).toBe(401);
    expect(gateway.dms.requests).toEqual([]);
  });

  it('rejects a run-as header', async () => {
    const gateway = await startJwt();
    const headers = { ...bearer(await token()), 'svc-run-as': 'usr-boss' };
    expect((await gateway.query(persons, {}, headers)).status).toBe(403);
    expect(gateway.dms.requests).toEqual([]);
  });

  const other = new TextEncoder().encode('another secret of more than 32 characters');
  const refused: readonly [string, () => Promise<string> | string][] = [
    ['no signature (alg none)', unsigned],
    ['another key', () => token({}, { alg: 'HS256' }, other)],
    ['another algorithm with the same key', () => token({}, { alg: 'HS512' })],
    ['an expiry in the past', () => token({ exp: secondsFromNow(-60) })],
    ['no expiry', () => token({ exp: undefined })],
    ['a start in the future', () => token({ nbf: secondsFromNow(60) })],
    ['another audience', () => token({ aud: 'someone-else' })],
    ['no audience', () => token({ aud: undefined })],
    ['another issuer', () => token({ iss: 'https://evil.example' })],
    ['no user', () => token({ email: undefined })],
    ['an empty user', () => token({ email: '' })],
    ['a user that is not text', () => token({ email: ['ann@example.com'] })],
    ['a user with a line break', () => token({ email: 'ann@example.com\r\nsvc-run-as: boss' })],
    ['two users', () => token({ email: 'ann@example.com,boss@example.com' })],
    ['a user that is too long', () => token({ email: 'x'.repeat(257) })],
    ['a user beyond ASCII', () => token({ email: 'änn@example.com' })],
    ['a user with a space', () => token({ email: 'ann@example.com boss' })],
    ...[false, 'false', 'False', 0, '0', '', null, 1, 'yes', {}].map(
      (claim): [string, () => Promise<string>] => [
        `an email_verified of ${JSON.stringify(claim)}`,
        () => token({ email_verified: claim }),
      ],
    ),
    ['more than 8 KiB', () => token({ pad: 'x'.repeat(9000) })],
    ['a cut signature', async () => (await token()).slice(0, -2)],
    ['no token at all', () => 'nonsense'],
  ];
  it.each(refused)('rejects a token with %s', async (_what, make) => {
    const gateway = await startJwt();
    const { status, errors, headers } = await gateway.query(persons, {}, bearer(await make()));
    expect(status).toBe(401);
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    // The gateway's own message. The message of the library is only logged.
    expect(errors?.[0]?.message).toMatch(
      /^(?:The token (?:is not valid|has expired|is too long)|The claim `email` of the token must contain the system ID or e-mail address of a user|The e-mail address in the token is not verified)\.$/,
    );
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each([true, 'true', 'True', undefined])('accepts email_verified %j', async (claim) => {
    const gateway = await startJwt();
    const given = await token({ email_verified: claim });
    expect((await gateway.query(who, {}, bearer(given))).status).toBe(200);
  });

  it('ignores email_verified with another claim', async () => {
    const gateway = await startJwt({ runAsClaim: 'dms_user' });
    const given = await token({ dms_user: 'usr-ann', email_verified: false });
    expect((await gateway.query(who, {}, bearer(given))).status).toBe(200);
  });

  it.each([undefined, '', 'Basic YW5uOng=', 'Bearer', 'Bearer a b'])(
    'rejects the Authorization %j before reading the body',
    async (authorization) => {
      const gateway = await startJwt();
      const headers = authorization === undefined ? {} : { authorization };
      expect((await gateway.post('not JSON', headers)).status).toBe(401);
    },
  );

  it('caches a token until it expires', async () => {
    const gateway = await startJwt();
    const short = bearer(await token({ exp: secondsFromNow(10) }));
    expect((await gateway.query(who, {}, short)).status).toBe(200);
    setClock(20_000);
    expect((await gateway.query(who, {}, short)).status).toBe(401);
  });

  it('checks a token again after the clock was set back', async () => {
    const gateway = await startJwt();
    const fresh = bearer(await token({ nbf: secondsFromNow(-10) }));
    expect((await gateway.query(who, {}, fresh)).status).toBe(200);
    setClock(-60_000);
    expect((await gateway.query(who, {}, fresh)).status).toBe(401);
  });
});

describe('jwt with a key URL', () => {
  it('fetches the keys and new ones', async () => {
    const keys = await startKeyServer();
    const first = await keys.add('first');
    const gateway = await startKeyed(keys.url);
    expect(await statusWith(gateway, await signedBy('first', first))).toBe(200);

    keys.remove('first');
    const second = await keys.add('second');
    expect(await statusWith(gateway, await signedBy('second', second))).toBe(200);
    // Another token with the withdrawn key is not cached, so it is verified.
    expect(await statusWith(gateway, await signedBy('first', first, { jti: '2' }))).toBe(401);
  });

  it.each<[string, RequestListener]>([
    ['fails', (_req, res) => void res.writeHead(500).end()],
    ['returns HTML', (_req, res) => void res.end('<html></html>')],
    ['returns no keys', (_req, res) => void res.end('{}')],
    ['redirects', (_req, res) => void res.writeHead(302, { location: '/other' }).end()],
    ['closes the connection', (req) => void req.socket.resetAndDestroy()],
    ['does not respond', () => {}],
    ['returns too much', (_req, res) => void res.end(`{"keys":[]}${' '.repeat(300_000)}`)],
  ])('returns 503 and not 401 if the key server %s', async (_what, listener) => {
    const keys = await startKeyServer();
    const first = await keys.add('first');
    keys.behave(listener);
    const gateway = await startKeyed(keys.url, { jwksTimeoutMs: 300 });
    const { status, errors } = await gateway.query(who, {}, bearer(await signedBy('first', first)));
    expect(status).toBe(503);
    expect(errors?.[0]?.extensions['code']).toBe('UPSTREAM_UNAVAILABLE');
  });

  it('uses cached keys for a day during an outage', async () => {
    passable().stopClock(); // the back-off does not end
    const keys = await startKeyServer();
    const first = await keys.add('first');
    const gateway = await startKeyed(keys.url);
    expect(await statusWith(gateway, await signedBy('first', first))).toBe(200);
    keys.behave((req) => void req.socket.resetAndDestroy());
    const at = Date.now();
    setClock(11 * minuteMs, at);
    for (const jti of ['2', '3', '4']) {
      expect(await statusWith(gateway, await signedBy('first', first, { jti }))).toBe(200);
    }
    expect(keys.asked()).toBe(2); // a failed fetch is not retried at once
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'cannot fetch the keys of the token issuer',
        keysAgeMs: expect.toSatisfy((ms: number) => ms >= 11 * minuteMs),
      }),
    );
    setClock(24 * 60 * minuteMs + 1000, at);
    expect(await statusWith(gateway, await signedBy('first', first))).toBe(503);
  });

  it('returns 503 for an unknown key during an outage', async () => {
    passable().stopClock(); // the back-off does not end
    const keys = await startKeyServer();
    const first = await keys.add('first');
    const gateway = await startKeyed(keys.url);
    expect(await statusWith(gateway, await signedBy('first', first))).toBe(200);
    keys.behave((req) => void req.socket.resetAndDestroy());
    for (const kid of ['second', 'third']) {
      expect(await statusWith(gateway, await signedBy(kid, first))).toBe(503);
    }
    expect(keys.asked()).toBe(2);
  });

  it('refreshes the keys in the background', async () => {
    const keys = await startKeyServer();
    const first = await keys.add('first');
    const gateway = await startKeyed(keys.url);
    expect(await statusWith(gateway, await signedBy('first', first))).toBe(200);
    keys.behave(() => {}); // never responds
    setClock(6 * minuteMs);
    expect(await statusWith(gateway, await signedBy('first', first, { jti: '2' }))).toBe(200);
    await expect.poll(keys.asked).toBe(2);
  });

  it('detects a withdrawn key without traffic', async () => {
    const keys = await startKeyServer();
    const first = await keys.add('first');
    const gateway = await startKeyed(keys.url);
    expect(await statusWith(gateway, await signedBy('first', first))).toBe(200);
    keys.remove('first');
    setClock(11 * minuteMs);
    expect(await statusWith(gateway, await signedBy('first', first, { jti: '2' }))).toBe(401);
  });

  it('rejects at once during the back-off', async () => {
    passable().stopClock(); // the back-off does not end
    const keys = await startKeyServer();
    const first = await keys.add('first');
    keys.behave((req) => void req.socket.resetAndDestroy());
    const gateway = await startKeyed(keys.url);
    const given = bearer(await signedBy('first', first));
    expect((await gateway.query(who, {}, given)).status).toBe(503);
    const { status, headers, errors } = await gateway.query(who, {}, given);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(errors?.[0]?.message).toBe(
      'The token cannot be verified at the moment. Try again later.',
    );
    expect(keys.asked()).toBe(1);
  });

  it('does not wait for a failed key server and recovers', async () => {
    const keys = await startKeyServer();
    const first = await keys.add('first');
    keys.behave((req) => void req.socket.resetAndDestroy());
    const gateway = await startKeyed(keys.url, { jwksBackOffMs: 1, jwksTimeoutMs: 60_000 });
    const given = await signedBy('first', first);
    expect(await statusWith(gateway, given)).toBe(503);
    let answer = (): void => {};
    keys.behave((_req, res) => {
      answer = () => keys.answer(res);
    });
    // One of these requests starts the fetch.
    await expect
      .poll(async () => [await statusWith(gateway, given), keys.asked()])
      .toEqual([503, 2]);
    expect(await statusWith(gateway, given)).toBe(503);
    answer();
    await expect.poll(() => statusWith(gateway, given)).toBe(200);
    expect(keys.asked()).toBe(2);
  });

  it('sends no request for a disconnected client', async () => {
    const keys = await startKeyServer();
    const given = bearer(await signedBy('first', await keys.add('first')));
    let answer = (): void => {};
    keys.behave((_req, res) => {
      answer = () => keys.answer(res);
    });
    const gateway = await startKeyed(keys.url, { jwksTimeoutMs: 10_000 });
    const client = new AbortController();
    const left = gateway.fetch('/files/documents/d1/f1', { headers: given, signal: client.signal });
    await expect.poll(keys.asked).toBe(1);
    client.abort();
    await expect(left).rejects.toThrow('aborted');
    await expect.poll(() => gateway.log.map(({ outcome }) => outcome)).toContain('CANCELLED');
    answer();
    await (await gateway.fetch('/files/documents/d1/f2', { headers: given })).text();
    expect(gateway.dms.requests).toEqual(['GET /api/v2/docForm/d1/file/f2']);
  });

  const junk: readonly [string, (key: CryptoKey) => Promise<string> | string][] = [
    ['no signature', unsigned],
    ['an algorithm with a shared secret', () => token()],
    ['another issuer', (by) => signedBy('first', by, { iss: 'https://evil.example' })],
    ['another audience', (by) => signedBy('first', by, { aud: 'someone-else' })],
    ['an expiry in the past', (by) => signedBy('first', by, { exp: secondsFromNow(-60) })],
    ['no expiry', (by) => signedBy('first', by, { exp: undefined })],
    ['claims that are not JSON', async (by) => (await signedBy('first', by)).replace(/\.\w/, '.!')],
    ['two parts', async (by) => (await signedBy('first', by)).replace(/\.[^.]*$/, '')],
  ];
  it.each(junk)('fetches no keys for a token with %s', async (_what, make) => {
    const keys = await startKeyServer();
    const gateway = await startKeyed(keys.url);
    const given = await make(await keys.add('first'));
    expect(await statusWith(gateway, given)).toBe(401);
    expect(keys.asked()).toBe(0);
  });

  it('fetches the keys once for many unknown ones', async () => {
    const keys = await startKeyServer();
    const first = await keys.add('first');
    const gateway = await startKeyed(keys.url, { jwksCooldownMs: 10_000 });
    const forged = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signedBy(`kid-${i}`, first)),
    );
    await Promise.all(forged.map((one) => statusWith(gateway, one)));
    expect(await statusWith(gateway, await signedBy('kid-x', first))).toBe(401);
    expect(keys.asked()).toBe(1);
  });
});

const minuteMs = 60_000;

function startKeyed(
  jwksUrl: string,
  options: { jwksCooldownMs?: number; jwksTimeoutMs?: number; jwksBackOffMs?: number } = {},
): ReturnType<typeof startGateway> {
  const keyFetch = { jwksCooldownMs: 0, jwksTimeoutMs: 30_000, ...options };
  const server = { identity: { ...jwtMode, secret: null, jwksUrl } };
  return startGateway({ server, keyFetch });
}

async function statusWith(gateway: TestGateway, value: string): Promise<number> {
  return (await gateway.query(who, {}, bearer(value))).status;
}

function signedBy(kid: string, by: CryptoKey, claims: Claims = {}): Promise<string> {
  return token(claims, { alg: 'ES256', kid }, by);
}
