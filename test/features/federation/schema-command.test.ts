/** @module-tag nightly */
import { expect, it } from 'vitest';
import { spawnGateway } from '../../helpers/process.ts';

const dms = { DMS_URL: 'http://127.0.0.1:9' };

it.each([
  [['schema', '--federation', '--check-documents', 'a'], '--check-documents cannot be used with'],
  [['--federation'], '--federation needs schema'],
])('ends with 1 for %s', async (flags, message) => {
  const command = spawnGateway(dms, ...flags);
  expect(await command.exited).toBe(1);
  expect(command.output()).toContain(message);
});
