import { expect, it } from 'vitest';
import { readConfig } from '../../../src/features/settings.ts';

it('refuse a subgraph that executes trusted documents only', () => {
  const trusted = { PERSISTED_DOCUMENTS: 'manifest.json', PERSISTED_ONLY: 'on' };
  expect(readConfig(trusted).federation).toBe(false);
  expect(() => readConfig({ ...trusted, FEDERATION: 'on' })).toThrow(
    /:\n\s*PERSISTED_ONLY=on cannot be used with FEDERATION=on: routers send documents of their own$/,
  );
});
