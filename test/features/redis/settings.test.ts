import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/features/settings.ts';

const secret = 'a secret that is long enough to sign with';

const reading = (env: Readonly<Record<string, string>>) => () => readConfig(env);
const allOf = (...problems: readonly string[]): RegExp =>
  new RegExp(`^Invalid settings:\n  ${problems.join('\n  ')}$`);

describe('REDIS_URL', () => {
  it('needs SHARED_SECRET', () => {
    const missing = 'SHARED_SECRET is required with REDIS_URL';
    expect(reading({ REDIS_URL: 'redis://redis' })).toThrow(allOf(missing));
    expect(reading({ REDIS_URL: 'redis' })).toThrow(allOf('REDIS_URL must be .*', missing));
    const short = readConfig({ REDIS_URL: 'rediss://:pw@redis:6380/2', SHARED_SECRET: 'short' });
    expect(short.redisUrl).toBe('rediss://:pw@redis:6380/2');
    expect(short.warnings).toEqual([
      'SHARED_SECRET is shorter than 32 bytes: one key of Redis can be enough to recover it',
    ]);
  });

  it.each(['http://redis', 'redis:', 'redis://:hunter2@redis?family=6', 'redis://redis/name'])(
    'cannot be %s',
    (url) => {
      expect(reading({ REDIS_URL: url, SHARED_SECRET: secret })).toThrow(
        allOf(
          'REDIS_URL must be a redis:// or rediss:// URL without query and fragment, such as redis://host:6379/0',
        ),
      );
    },
  );

  it.each(['redis://:50%off@redis', 'redis://100%:pw@redis'])(
    'cannot be %s: user name and password are percent-encoded',
    (url) => {
      expect(reading({ REDIS_URL: url, SHARED_SECRET: secret })).toThrow(
        allOf('REDIS_URL must have a percent-encoded user name and password: write %25 for %'),
      );
    },
  );
});
