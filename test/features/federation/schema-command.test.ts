/** @module-tag nightly */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { spawnGateway } from '../../helpers/process.ts';

const dms = { DMS_URL: 'http://127.0.0.1:9' };

it('prints the committed subgraph for any DMS', async () => {
  const subgraph = readFileSync('schema.federation.graphql', 'utf8');
  const command = spawnGateway(dms, 'schema', '--federation');
  expect({ code: await command.exited, output: command.output() }).toEqual({
    code: 0,
    output: subgraph,
  });
});

it.each([
  [['schema', '--federation', '--check-documents', 'a'], '--check-documents cannot be used with'],
  [['--federation'], '--federation needs schema'],
])('ends with 1 for %s', async (flags, message) => {
  const command = spawnGateway(dms, ...flags);
  expect(await command.exited).toBe(1);
  expect(command.output()).toContain(message);
});
