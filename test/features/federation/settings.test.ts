import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config/read-config.ts';
import { onOff } from '../../../src/config/setting-parsers.ts';
import { federation } from '../../../src/features/federation/index.ts';

it('refuse a subgraph that executes trusted documents only', () => {
  const trusted = { settings: { persistedOnly: onOff('PERSISTED_ONLY', false, '', '') } };
  const read = (env: Record<string, string>) => readConfig(env, [trusted, federation]);
  expect(read({ PERSISTED_ONLY: 'on' })).toMatchObject({ federation: false });
  expect(() => read({ PERSISTED_ONLY: 'on', FEDERATION: 'on' })).toThrow(
    /:\n\s*PERSISTED_ONLY=on cannot be used with FEDERATION=on: routers send documents of their own$/,
  );
});
