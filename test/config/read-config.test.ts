import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/read-config.ts';
import { readConfig, settings } from '../../src/features/settings.ts';

const secret = 'a secret that is long enough to sign with';

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('defaults to the sandbox with its service account', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      dmsUrl: null,
      identity: { mode: 'service' },
      credential: null,
      runAsHeader: 'svc-run-as',
      maxUploadBytes: 1_073_741_824,
      corsOrigins: [],
      upstreamTrace: true,
    });
  });

  it('passes credentials through when only DMS_URL is set', () => {
    const config = readConfig({ DMS_URL: 'https://dms.example/base/' });
    expect(config).toMatchObject({
      dmsUrl: 'https://dms.example/base',
      identity: { mode: 'passthrough' },
      credential: null,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DMS_URL: '', CORS_ORIGINS: '' }).port).toBe(4000);
  });

  it.each(['Host', 'connection', 'content-length', 'Authorization', 'x-request-id'])(
    'rejects DMS_RUN_AS_HEADER=%s',
    (value) => {
      expect(problemsOf({ DMS_RUN_AS_HEADER: value })).toEqual([
        'DMS_RUN_AS_HEADER must be an HTTP header name, and not that of a header with another meaning',
      ]);
    },
  );

  it.each(['X-Run-As', 'host-user', 'accept-user'])('accepts DMS_RUN_AS_HEADER=%s', (value) => {
    expect(readConfig({ DMS_RUN_AS_HEADER: value }).runAsHeader).toBe(value.toLowerCase());
  });

  it('names every invalid variable in one message', () => {
    const message = problemsOf({
      PORT: '70000',
      DMS_TIMEOUT_MS: '-1',
      DMS_URL: 'ftp://dms.example',
      INTROSPECTION: 'maybe',
      LOG_LEVEL: 'loud',
      RATE_LIMIT: '0',
      DMS_RUN_AS_HEADER: 'run as',
      CORS_ORIGINS: 'https://a.example,b.example',
    });
    expect(message).toEqual([
      'DMS_URL must be an http:// or https:// URL',
      'CORS_ORIGINS must be a comma-separated list of origins such as https://app.example',
      'PORT must be an integer from 0 to 65535, not "70000"',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
      'DMS_RUN_AS_HEADER must be an HTTP header name, and not that of a header with another meaning',
      'DMS_TIMEOUT_MS must be an integer from 1 to 86400000, not "-1"',
      'RATE_LIMIT must be an integer from 1 to 1000000, not "0"',
      'INTROSPECTION must be on or off, not "maybe"',
    ]);
  });

  const durations = Object.values(settings)
    .map(({ name }) => name)
    .filter((name) => /_MS$|_TIMEOUT$|_DELAY$/.test(name));

  it.each(durations)('accepts at most a day for %s', (name) => {
    expect(problemsOf({ [name]: '86400000' })).toEqual([]);
    expect(problemsOf({ [name]: '86400001' })).toEqual([
      expect.stringMatching(/^\w+ must be an integer from \d+ to 86400000, not "86400001"$/),
    ]);
  });

  it('rejects a credential in a URL without repeating it', () => {
    const problems = problemsOf({ DMS_URL: 'https://ann:hunter2@dms.example' });
    expect(problems).toEqual([
      'DMS_URL must be a URL without user name, password, query and fragment',
    ]);
  });

  it.each(['JWT_SECRET', 'FILE_URL_SECRET'])('rejects a %s with two lines', (name) => {
    expect(problemsOf({ IDENTITY: 'jwt', JWT_SECRET: secret, [name]: 'hunter\n2' })).toEqual([
      `${name} must be a single line of text`,
    ]);
  });

  it.each(['*', 'null', 'https://app.example/', 'https://app.example/path', 'app.example'])(
    'rejects %s as an origin',
    (origin) => {
      expect(problemsOf({ CORS_ORIGINS: origin })).toHaveLength(1);
    },
  );

  it('converts host names to lower case', () => {
    const { allowedHosts } = readConfig({ ALLOWED_HOSTS: 'Gateway, gateway.Example.,*' });
    expect(allowedHosts).toEqual(['gateway', 'gateway.example', '*']);
  });

  it.each(['gateway:4000', 'https://gateway', '*.example', 'a b', 'a,,b', '[::1]', '.a'])(
    'rejects %s as a host name',
    (name) => {
      expect(problemsOf({ ALLOWED_HOSTS: name })).toEqual([
        'ALLOWED_HOSTS must be a comma-separated list of host names without ports, such as gateway.example, or *',
      ]);
    },
  );

  it('disables the upstream trace in production', () => {
    const production = { NODE_ENV: 'production', DMS_URL: 'sandbox' };
    expect(readConfig(production).upstreamTrace).toBe(false);
    expect(readConfig({ ...production, UPSTREAM_TRACE: 'on' }).upstreamTrace).toBe(true);
  });
});

describe('an invalid value', () => {
  it('does not hide what another setting lacks', () => {
    expect(problemsOf({ DMS_URL: 'dms', DMS_AUTHORIZATION: 'Bearer a' })).toEqual([
      expect.stringMatching(/^DMS_URL /),
      'IDENTITY must be service or jwt if DMS_AUTHORIZATION, DMS_ACCOUNT_ID or DMS_ACCOUNT_KEY is set',
    ]);
    expect(problemsOf({ DMS_URL: 'dms', IDENTITY: 'jwt', JWT_JWKS_URL: 'keys' })).toEqual([
      expect.stringMatching(/^DMS_URL /),
      expect.stringMatching(/^JWT_JWKS_URL /),
      'JWT_ISSUER is required with JWT_JWKS_URL',
      'JWT_AUDIENCE is required with JWT_JWKS_URL',
      'DMS_AUTHORIZATION, or DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY, is required with IDENTITY=jwt',
    ]);
  });

  it('is not reported as missing', () => {
    const url = { DMS_URL: 'https://dms.example', IDENTITY: 'service' };
    expect(problemsOf({ ...url, DMS_AUTHORIZATION: 'a\nb' })).toEqual([
      expect.stringMatching(/^DMS_AUTHORIZATION must/),
    ]);
    expect(problemsOf({ ...url, DMS_ACCOUNT_ID: 'a\nb', DMS_ACCOUNT_KEY: 'k' })).toEqual([
      expect.stringMatching(/^DMS_ACCOUNT_ID must/),
    ]);
  });
});

describe('identity settings', () => {
  it('accept a JWT secret', () => {
    expect(readConfig({ IDENTITY: 'jwt', JWT_SECRET: secret }).identity).toEqual({
      mode: 'jwt',
      secret,
      jwksUrl: null,
      jwksProxy: null,
      issuer: null,
      audience: null,
      runAsClaim: 'email',
    });
  });

  it('require either a secret or a JWKS URL', () => {
    const problem = 'JWT_SECRET or JWT_JWKS_URL is required with IDENTITY=jwt, but not both';
    expect(problemsOf({ IDENTITY: 'jwt' })).toEqual([problem]);
    expect(
      problemsOf({
        IDENTITY: 'jwt',
        JWT_SECRET: secret,
        JWT_JWKS_URL: 'https://id.example/keys',
        JWT_ISSUER: 'id',
        JWT_AUDIENCE: 'gateway',
      }),
    ).toEqual([problem]);
  });

  it('require issuer and audience with a JWKS URL', () => {
    expect(problemsOf({ IDENTITY: 'jwt', JWT_JWKS_URL: 'https://id.example/keys' })).toEqual([
      'JWT_ISSUER is required with JWT_JWKS_URL',
      'JWT_AUDIENCE is required with JWT_JWKS_URL',
    ]);
  });

  it('require a service account without passthrough', () => {
    expect(problemsOf({ DMS_URL: 'https://dms.example', IDENTITY: 'service' })).toEqual([
      'DMS_AUTHORIZATION, or DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY, is required with IDENTITY=service',
    ]);
  });

  it('reject an unused service account', () => {
    expect(problemsOf({ DMS_URL: 'https://dms.example', DMS_AUTHORIZATION: 'Bearer x' })).toEqual([
      'IDENTITY must be service or jwt if DMS_AUTHORIZATION, DMS_ACCOUNT_ID or DMS_ACCOUNT_KEY is set',
    ]);
  });

  it.each(['JWT_SECRET', 'JWT_JWKS_URL'])('reject an unused %s', (name) => {
    const unused = { [name]: 'https://id.example/keys/of/the/issuer' };
    const problem = 'IDENTITY must be jwt if JWT_SECRET or JWT_JWKS_URL is set';
    expect(problemsOf({ ...unused, IDENTITY: 'service' })).toEqual([problem]);
    expect(problemsOf({ ...unused, DMS_URL: 'https://dms.example' })).toEqual([problem]);
  });

  it('require id and key, without a fixed header', () => {
    const base = { DMS_URL: 'https://dms.example', IDENTITY: 'service' };
    expect(problemsOf({ ...base, DMS_ACCOUNT_ID: 'api-1' })).toContain(
      'DMS_ACCOUNT_KEY is required with DMS_ACCOUNT_ID',
    );
    expect(problemsOf({ ...base, DMS_ACCOUNT_KEY: 'key' })).toContain(
      'DMS_ACCOUNT_ID is required with DMS_ACCOUNT_KEY',
    );
    expect(
      problemsOf({
        ...base,
        DMS_AUTHORIZATION: 'x',
        DMS_ACCOUNT_ID: 'api-1',
        DMS_ACCOUNT_KEY: 'key',
      }),
    ).toEqual(['DMS_AUTHORIZATION cannot be combined with DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY']);
  });

  it('validate the signing key, also on one line', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const base = { DMS_URL: 'https://dms.example', IDENTITY: 'service', DMS_ACCOUNT_ID: 'api-1' };
    const env = { ...base, DMS_ACCOUNT_KEY: pem.replaceAll('\n', '\\n') };
    expect(readConfig({ ...env, DMS_ACCOUNT_ALG: 'ES256' }).credential).toEqual({
      kind: 'signed',
      accountId: 'api-1',
      key: pem,
      algorithm: 'ES256',
    });
    expect(problemsOf({ ...env, DMS_ACCOUNT_ALG: 'RS256' })).toEqual([
      'DMS_ACCOUNT_KEY must be a PKCS 8 PEM key for DMS_ACCOUNT_ALG=RS256',
    ]);
  });
});

describe('warnings', () => {
  const dms = { DMS_URL: 'https://dms.example', DMS_AUTHORIZATION: 'Bearer x' };
  const links = { FILE_URL_SECRET: secret };

  it('are absent for good settings, sandbox and passthrough', () => {
    const jwt = { IDENTITY: 'jwt', JWT_SECRET: 'é'.repeat(16) };
    expect(readConfig({ ...dms, ...links, ...jwt }).warnings).toEqual([]);
    expect(readConfig({}).warnings).toEqual([]);
    expect(readConfig({ DMS_URL: 'https://dms.example' }).warnings).toEqual([]);
  });

  it('name short keys without repeating them', () => {
    const { identity, fileUrlSecret, warnings } = readConfig({
      ...dms,
      IDENTITY: 'jwt',
      JWT_SECRET: 'hunter2',
      FILE_URL_SECRET: 'hunter3',
    });
    expect(identity).toMatchObject({ secret: 'hunter2' });
    expect(fileUrlSecret).toBe('hunter3');
    expect(warnings).toEqual([
      'JWT_SECRET is shorter than 32 bytes: one token can be enough to recover it',
      'FILE_URL_SECRET is shorter than 32 bytes: one link can be enough to recover it',
    ]);
  });

  it.each([
    ['DMS_TIMEOUT', 'DMS_TIMEOUT_MS'],
    ['MAX_UPLOAD', 'MAX_UPLOAD_BYTES'],
    ['DSM_URL', 'DMS_URL'],
    ['MAX_DEPHT', 'MAX_DEPTH'],
    ['IDENTTY', 'IDENTITY'],
    ['DMS_TOKEN', 'DMS_AUTHORIZATION'],
    ['RATELIMIT', 'RATE_LIMIT'],
  ])('name the setting that %s is close to', (name, meant) => {
    const { warnings } = readConfig({ [name]: 'hunter2' });
    expect(warnings).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  });

  it('ask for the sandbox in words in production', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(
      'DMS_URL is required with NODE_ENV=production. DMS_URL=sandbox asks for the embedded sandbox',
    );
    const asked = readConfig({ NODE_ENV: 'production', DMS_URL: 'sandbox' });
    expect(asked).toMatchObject({ dmsUrl: null, identity: { mode: 'service' }, warnings: [] });
  });

  it('ignore variables of other programs', () => {
    const others =
      'PATH HOME HOSTS PORTS LOGLEVEL WORKER HOSTNAME NODE_ENV NODE_OPTIONS LOG_FORMAT DATA_HOME DMS_PORT DMS_SERVICE_HOST DMS_PORT_80_TCP JWT_KEY MAX_CONNECTIONS CACHE_DIR FILE_URL PUBLIC_DIR npm_config_cache DMS_';
    const env = Object.fromEntries(others.split(' ').map((name) => [name, 'x']));
    expect(readConfig(env).warnings).toEqual([]);
  });

  it('name a timeout that no operation reaches', () => {
    const passthrough = { DMS_URL: 'https://dms.example' };
    const short = { REQUEST_TIMEOUT_MS: '20000' };
    expect(readConfig({ ...passthrough, DMS_TIMEOUT_MS: '90000' }).warnings).toEqual([
      'DMS_TIMEOUT_MS is above REQUEST_TIMEOUT_MS: operations end before a DMS request reaches its timeout',
    ]);
    expect(readConfig({ ...passthrough, ...short }).warnings).toEqual([]);
    expect(readConfig({ ...passthrough, ...short, DMS_TIMEOUT_MS: '20000' }).warnings).toEqual([]);
  });

  it.each([
    [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0 opens the sandbox'],
    [{ HOST: '::' }, 'HOST=:: opens the sandbox'],
    [{ PUBLIC_URL: 'https://demo.example' }, 'PUBLIC_URL=https://demo.example opens the sandbox'],
  ])('mention a sandbox that other machines can reach: %j', (settings, start) => {
    expect(readConfig(settings).warnings).toEqual([
      `${start}: every client can act as its service account`,
    ]);
    const jwt = { IDENTITY: 'jwt', JWT_SECRET: secret };
    expect(readConfig({ ...settings, ...jwt }).warnings).toEqual([]);
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('accept the sandbox on %s', (HOST) => {
    expect(readConfig({ HOST, PUBLIC_URL: 'http://[::1]:4000' }).warnings).toEqual([]);
  });

  it('name variables of proxies that have no effect, without their values', () => {
    const proxies = { NODE_USE_ENV_PROXY: '1', all_proxy: 'http://ann:hunter2@proxy.example:3128' };
    const end = 'have no effect: set HTTPS_PROXY or HTTP_PROXY';
    expect(readConfig({ DMS_URL: dms.DMS_URL, ...proxies }).warnings).toEqual([
      `NODE_USE_ENV_PROXY, all_proxy ${end}`,
    ]);
    expect(readConfig(proxies).warnings).toEqual([]); // the sandbox
    const used = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' };
    expect(readConfig({ DMS_URL: dms.DMS_URL, ...used }).warnings).toEqual([]);
  });

  it('name settings of TLS for a DMS without', () => {
    const files = { DMS_CA_FILE: '/ca', DMS_TLS_SERVER_NAME: 'dms.internal' };
    const { warnings, tlsSettings } = readConfig({ ...files, DMS_URL: 'http://dms' });
    expect(warnings).toContain(
      'DMS_CA_FILE, DMS_TLS_SERVER_NAME have no effect: DMS_URL does not begin with https://',
    );
    expect(tlsSettings.dms).toBeNull();
  });

  it('name the variable that disables the check of certificates', () => {
    expect(readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }).warnings).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0 accepts every certificate: /),
    ]);
    expect(readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: '1' }).warnings).toEqual([]);
  });

  it('mention file links limited to one replica', () => {
    expect(readConfig({ ...dms, IDENTITY: 'service' }).warnings).toEqual([
      'FILE_URL_SECRET is not set: file links are valid only on this replica and only until it restarts',
    ]);
  });
});

describe('settings of TLS', () => {
  const url = { DMS_URL: 'https://dms.example' };

  it('name files by their settings', () => {
    const { tlsSettings } = readConfig({
      ...url,
      DMS_CA_FILE: '/ca',
      DMS_CLIENT_CERT_FILE: '/cert',
      DMS_CLIENT_KEY_FILE: '/key',
      DMS_CLIENT_KEY_PASSPHRASE: 'secret',
      DMS_TLS_SERVER_NAME: 'DMS.internal',
    });
    expect(tlsSettings.dms).toEqual({
      service: 'the DMS',
      ca: { name: 'DMS_CA_FILE', path: '/ca' },
      certificate: { name: 'DMS_CLIENT_CERT_FILE', path: '/cert' },
      key: { name: 'DMS_CLIENT_KEY_FILE', path: '/key' },
      passphrase: 'secret',
      serverName: 'dms.internal',
    });
    expect(readConfig(url).tlsSettings.dms).toBeNull();
  });

  it('require each other', () => {
    expect(problemsOf({ ...url, DMS_CLIENT_CERT_FILE: '/cert' })).toEqual([
      'DMS_CLIENT_KEY_FILE is required with DMS_CLIENT_CERT_FILE',
    ]);
    expect(problemsOf({ ...url, DMS_CLIENT_KEY_FILE: '/key' })).toEqual([
      'DMS_CLIENT_CERT_FILE is required with DMS_CLIENT_KEY_FILE',
    ]);
    expect(problemsOf({ ...url, DMS_CLIENT_KEY_PASSPHRASE: 'secret' })).toEqual([
      'DMS_CLIENT_KEY_FILE is required with DMS_CLIENT_KEY_PASSPHRASE',
    ]);
  });

  it.each(['127.0.0.1', 'dms:443', 'https://dms', '::1'])('reject the server name %s', (name) => {
    expect(problemsOf({ ...url, DMS_TLS_SERVER_NAME: name })).toEqual([
      'DMS_TLS_SERVER_NAME must be a host name without a port, such as dms.example',
    ]);
  });
});
