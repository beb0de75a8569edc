import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settingsTable } from '../../src/config/read-config.ts';

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
  it('needs nothing: the sandbox with its service account', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      workers: 1,
      dmsUrl: null,
      identity: { mode: 'service' },
      credential: null,
      runAsHeader: 'svc-run-as',
      maxUploadBytes: 1_073_741_824,
      corsOrigins: [],
      upstreamTrace: true,
    });
  });

  it('passes credentials through to a DMS that is set alone', () => {
    const config = readConfig({ DMS_URL: 'https://dms.example/base/' });
    expect(config).toMatchObject({
      dmsUrl: 'https://dms.example/base',
      identity: { mode: 'passthrough' },
      credential: null,
    });
  });

  it('takes a variable that is set to nothing as unset', () => {
    expect(readConfig({ PORT: '', DMS_URL: '', CORS_ORIGINS: '' }).port).toBe(4000);
  });

  it.each(['0', '257', '2.5', 'all'])('takes no WORKERS=%s', (value) => {
    expect(problemsOf({ WORKERS: value })).toEqual([
      `WORKERS must be a whole number from 1 to 256, not "${value}"`,
    ]);
  });

  it('names every variable that is wrong in one message', () => {
    const message = problemsOf({
      PORT: '70000',
      DMS_TIMEOUT_MS: '-1',
      DMS_URL: 'ftp://dms.example',
      PLAYGROUND: 'maybe',
      LOG_LEVEL: 'loud',
      DMS_RUN_AS_HEADER: 'run as',
      CORS_ORIGINS: 'https://a.example,b.example',
    });
    expect(message).toEqual([
      'PORT must be a whole number from 0 to 65535, not "70000"',
      'DMS_URL must be an http:// or https:// address',
      'DMS_RUN_AS_HEADER must be a header name',
      'DMS_TIMEOUT_MS must be a whole number from 1 to 2147483647, not "-1"',
      'CORS_ORIGINS must be origins such as https://app.example, separated by commas',
      'PLAYGROUND must be on or off, not "maybe"',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
    ]);
  });

  it('refuses a credential inside an address without repeating it', () => {
    const problems = problemsOf({ DMS_URL: 'https://ann:hunter2@dms.example' });
    expect(problems).toEqual([
      'DMS_URL must be an address without user, password, query and fragment',
    ]);
  });

  it.each(['JWT_SECRET', 'FILE_URL_SECRET'])('refuses a %s of two lines', (name) => {
    expect(problemsOf({ IDENTITY: 'jwt', JWT_SECRET: secret, [name]: 'hunter\n2' })).toEqual([
      `${name} must be one line of text`,
    ]);
  });

  it.each(['*', 'null', 'https://app.example/', 'https://app.example/path', 'app.example'])(
    'refuses %s as an origin',
    (origin) => {
      expect(problemsOf({ CORS_ORIGINS: origin })).toHaveLength(1);
    },
  );

  it('reads names of the gateway in lower case', () => {
    const { allowedHosts } = readConfig({ ALLOWED_HOSTS: 'Gateway, gateway.Example.,*' });
    expect(allowedHosts).toEqual(['gateway', 'gateway.example', '*']);
  });

  it.each(['gateway:4000', 'https://gateway', '*.example', 'a b', 'a,,b', '[::1]', '.a'])(
    'refuses %s as a name of the gateway',
    (name) => {
      expect(problemsOf({ ALLOWED_HOSTS: name })).toEqual([
        'ALLOWED_HOSTS must be host names such as gateway.example, without ports and separated by commas, or *',
      ]);
    },
  );

  it('lets production keep upstream calls to itself', () => {
    expect(readConfig({ NODE_ENV: 'production' }).upstreamTrace).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', UPSTREAM_TRACE: 'on' }).upstreamTrace).toBe(true);
  });
});

describe('identity settings', () => {
  it('take a JWT secret', () => {
    expect(readConfig({ IDENTITY: 'jwt', JWT_SECRET: secret }).identity).toEqual({
      mode: 'jwt',
      secret,
      jwksUrl: null,
      issuer: null,
      audience: null,
      runAsClaim: 'email',
    });
  });

  it('want a secret or a key address, not both and not neither', () => {
    const problem = 'JWT_SECRET or JWT_JWKS_URL: IDENTITY=jwt needs exactly one of them';
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

  it('want issuer and audience with a key address', () => {
    expect(problemsOf({ IDENTITY: 'jwt', JWT_JWKS_URL: 'https://id.example/keys' })).toEqual([
      'JWT_ISSUER is required with JWT_JWKS_URL',
      'JWT_AUDIENCE is required with JWT_JWKS_URL',
    ]);
  });

  it('want a service account for a DMS that clients do not log in to', () => {
    expect(problemsOf({ DMS_URL: 'https://dms.example', IDENTITY: 'service' })).toEqual([
      'DMS_AUTHORIZATION, or DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY: IDENTITY=service needs a service account',
    ]);
  });

  it('refuse a service account that nobody would use', () => {
    expect(problemsOf({ DMS_URL: 'https://dms.example', DMS_AUTHORIZATION: 'Bearer x' })).toEqual([
      'IDENTITY must be service or jwt where the gateway has a service account',
    ]);
  });

  it('want the two halves of a signing account, and no fixed header beside them', () => {
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
    ).toEqual(['DMS_AUTHORIZATION excludes DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY']);
  });

  it('check the key of a signing account, also in its one-line form', () => {
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
      'DMS_ACCOUNT_KEY must be a PKCS 8 PEM key for RS256',
    ]);
  });
});

describe('warnings', () => {
  const dms = { DMS_URL: 'https://dms.example', DMS_AUTHORIZATION: 'Bearer x' };
  const links = { FILE_URL_SECRET: secret };

  it('are none for what is well set, and none for the sandbox and passthrough', () => {
    const jwt = { IDENTITY: 'jwt', JWT_SECRET: 'é'.repeat(16) };
    expect(readConfig({ ...dms, ...links, ...jwt }).warnings).toEqual([]);
    expect(readConfig({}).warnings).toEqual([]);
    expect(readConfig({ DMS_URL: 'https://dms.example' }).warnings).toEqual([]);
  });

  it('tell of short keys, which are taken, without repeating them', () => {
    const { identity, fileUrlSecret, warnings } = readConfig({
      ...dms,
      IDENTITY: 'jwt',
      JWT_SECRET: 'hunter2',
      FILE_URL_SECRET: 'hunter3',
    });
    expect(identity).toMatchObject({ secret: 'hunter2' });
    expect(fileUrlSecret).toBe('hunter3');
    expect(warnings).toEqual([
      'JWT_SECRET has less than 32 bytes: one token may be enough to find it',
      'FILE_URL_SECRET has less than 32 bytes: one link may be enough to find it',
    ]);
  });

  it('tell of links that no other replica knows', () => {
    expect(readConfig({ ...dms, IDENTITY: 'service' }).warnings).toEqual([
      'FILE_URL_SECRET is not set: links to files work on this replica alone, and until it restarts',
    ]);
  });
});

describe('settingsTable', () => {
  it('has a line for each setting, with its default', () => {
    const lines = settingsTable().split('\n');
    const names = lines.map((line) => line.trim().split(' ', 1)[0]);
    expect(new Set(names).size).toBe(lines.length);
    expect(names).toEqual(expect.arrayContaining(['PORT', 'DMS_URL', 'IDENTITY', 'DATA_DIR']));
    expect(lines[names.indexOf('MAX_DEPTH')]).toMatch(/^ {2}MAX_DEPTH +12 +levels of fields/);
  });
});
