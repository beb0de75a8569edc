import { expect, it } from 'vitest';
import { versionOf } from '../../../src/features/subscriptions/caller-watches.ts';

it('a document has another version after a change that only its revision or only its time shows', () => {
  const version = (revision: number | null, modifiedAt: string | null): string =>
    versionOf({ fullId: 'd1', meta: { createdAt: null, modifiedAt, revision } });
  expect(version(1, 'today')).toBe(version(1, 'today'));
  expect(version(2, 'today')).not.toBe(version(1, 'today'));
  expect(version(null, 'tomorrow')).not.toBe(version(null, 'today'));
});
