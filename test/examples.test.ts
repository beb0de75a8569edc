import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from './helpers/gateway.ts';

const folder = new URL('../examples/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.graphql'))
  .map((name) => name.replace('.graphql', ''))
  .toSorted();

function variablesOf(name: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
}

it('has an example of every mutation', () => {
  const schema = readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8');
  const mutations = /^type Mutation \{\n([\s\S]*?)^\}/m
    .exec(schema)![1]!
    .matchAll(/^ {2}(\w+)\(/gm);
  const examples = names.map((name) => readFileSync(new URL(`${name}.graphql`, folder), 'utf8'));
  for (const [, mutation] of mutations) {
    expect(examples.filter((text) => text.includes(`${mutation}(input:`))).toHaveLength(1);
  }
});

it('runs every example in order', async () => {
  const { query } = await startGatewayOnSandbox();
  for (const name of names) {
    const text = readFileSync(new URL(`${name}.graphql`, folder), 'utf8');
    const { data, errors } = await query(text, variablesOf(name));
    expect({ name, errors }).toEqual({ name, errors: undefined });
    for (const [field, value] of Object.entries(data as Record<string, { __typename?: string }>)) {
      expect({ name, field, value }).not.toMatchObject({ value: null });
      if (text.startsWith('#') && /\nmutation /.test(text)) {
        expect({ name, result: value }).toMatchObject({
          result: { __typename: expect.stringMatching(/Payload$/) as string },
        });
        for (const result of (value as { results?: object[] }).results ?? []) {
          expect({ name, result }).toMatchObject({
            result: { __typename: expect.stringMatching(/Payload$/) as string },
          });
        }
      }
    }
  }
});
