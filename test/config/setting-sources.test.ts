import { describe, expect, expectTypeOf, it } from 'vitest';
import { ConfigError } from '../../src/config/read-config.ts';
import { integer, ofProcess } from '../../src/config/setting-parsers.ts';
import * as sources from '../../src/config/setting-sources.ts';
import { readConfig, readSettings } from '../../src/features/settings.ts';

function problemsOf(input: object): string[] {
  try {
    readSettings(input);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n  ').slice(1);
    throw error;
  }
  return [];
}

describe('readSettings', () => {
  it('reads the same values as the environment', () => {
    const settings = {
      PORT: 4001,
      MAX_DEPTH: '7',
      SINGLE_FLIGHT: false,
      INTROSPECTION: 'off',
      CORS_ORIGINS: ['https://a.example', 'https://b.example'],
      ALLOWED_HOSTS: 'a.example,b.example',
      IDENTITY: 'jwt',
      JWT_SECRET: 'a secret of at least 32 characters',
    } as const;
    expect(readSettings(settings)).toEqual(
      readConfig({
        PORT: '4001',
        MAX_DEPTH: '7',
        SINGLE_FLIGHT: 'off',
        INTROSPECTION: 'off',
        CORS_ORIGINS: 'https://a.example,https://b.example',
        ALLOWED_HOSTS: 'a.example,b.example',
        IDENTITY: 'jwt',
        JWT_SECRET: 'a secret of at least 32 characters',
      }),
    );
  });

  it('ignores defaults of settings that do not exist', () => {
    const defaults = { MAX_DEPTH: 5, OF_A_DELETED_FEATURE: 0 };
    expect(readSettings({}, defaults)).toEqual(readConfig({ MAX_DEPTH: '5' }));
    expect(readSettings({ MAX_DEPTH: 7 }, defaults).maxDepth).toBe(7);
  });

  it('rejects settings of the process', () => {
    const size = integer('POOL_SIZE', 1, [1, 9], '', '');
    const extension = {
      settings: { size: ofProcess(size), other: { ...size, name: 'OTHER_SIZE' } },
    } as const;
    expect(() => sources.readSettings({ POOL_SIZE: 2 }, [extension])).toThrow(
      'POOL_SIZE can be set in the environment of the command only',
    );
    type Input = sources.SettingsInput<(typeof extension)['settings']>;
    expectTypeOf<keyof Input>().toEqualTypeOf<'OTHER_SIZE'>();
    const env = { POOL_SIZE: '2' };
    expect(sources.readEnvironment(env, [extension])).toMatchObject({ size: 2 });
  });

  it('treats undefined and empty values as unset', () => {
    const config = readSettings(
      { PORT: undefined, MAX_DEPTH: '', DMS_URL: undefined },
      { PORT: 0 },
    );
    expect(config).toEqual(readConfig({ PORT: '0' }));
  });

  it('names every invalid setting at once', () => {
    const problems = problemsOf({
      PROT: 0,
      LOG_LEVEL: null,
      CORS_ORIGINS: [1],
      PORT: 1.5,
      INTROSPECTION: 'yes',
      IDENTITY: 'jwt',
    });
    expect(problems).toEqual([
      'PROT is not a setting: did you mean PORT?',
      'LOG_LEVEL must be a string',
      'CORS_ORIGINS must be a string or a list of strings',
      'PORT must be an integer from 0 to 65535, not "1.5"',
      'INTROSPECTION must be on or off, not "yes"',
      'JWT_SECRET or JWT_JWKS_URL is required with IDENTITY=jwt, but not both',
    ]);
  });

  it('rejects values of another type than that of the setting', () => {
    const problems = problemsOf({
      HOST: 127,
      FILE_URL_SECRET: ['a', 'b'],
      DMS_URL: {},
      PORT: true,
      INTROSPECTION: 1,
      CORS_ORIGINS: false,
    });
    expect(problems).toEqual([
      'HOST must be a string',
      'FILE_URL_SECRET must be a string',
      'DMS_URL must be a string',
      'PORT must be a number or a string',
      'INTROSPECTION must be a boolean or a string',
      'CORS_ORIGINS must be a string or a list of strings',
    ]);
  });

  it('does not report a value of another type as missing', () => {
    const secret = { JWT_SECRET: 12345 };
    expect(problemsOf({ IDENTITY: 'jwt', ...secret })).toEqual(['JWT_SECRET must be a string']);
    expect(problemsOf({ IDENTITY: 'service', ...secret })).toEqual([
      'JWT_SECRET must be a string',
      'IDENTITY must be jwt if JWT_SECRET or JWT_JWKS_URL is set',
    ]);
  });

  it.each(['toString', '__proto__', 'constructor'])('rejects the name %s', (name) => {
    expect(problemsOf(JSON.parse(`{"${name}": 1}`) as object)).toEqual([
      `${name} is not a setting`,
    ]);
  });
});
