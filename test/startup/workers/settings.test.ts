import { expect, expectTypeOf, it } from 'vitest';
import { readConfig, readSettings, type GatewaySettings } from '../../../src/features/settings.ts';

it.each(['0', '257', '2.5', 'all'])('rejects WORKERS=%s', (value) => {
  expect(() => readConfig({ WORKERS: value })).toThrow(
    `WORKERS must be an integer from 1 to 256, not "${value}"`,
  );
});

it('is a setting of the process', () => {
  expect(() => readSettings({ WORKERS: 2 } as GatewaySettings)).toThrow(
    'WORKERS can be set in the environment of the command only',
  );
  expectTypeOf<GatewaySettings>().not.toHaveProperty('WORKERS');
});
