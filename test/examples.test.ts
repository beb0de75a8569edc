import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLInterfaceType,
  type SelectionSetNode,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from './helpers/served-schema.ts';
import { readExamples } from './helpers/examples.ts';
import { startGatewayOnSandbox } from './helpers/gateway.ts';

it('runs every example in order', async () => {
  const { query } = await startGatewayOnSandbox();
  // As the playground sends them.
  const examples = readExamples();
  for (const { name, group, query: text, variables } of examples) {
    if (group === 'Live' || group === 'Deferred') continue;
    const { data, errors } = await query(
      text,
      JSON.parse(variables || '{}') as Record<string, unknown>,
    );
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

it('runs the live and deferred examples', async () => {
  const gateway = await startGatewayOnSandbox();
  const examples = readExamples();
  const streamed = examples.filter(({ group }) => group === 'Live' || group === 'Deferred');
  expect(streamed.map(({ name }) => name)).toEqual(['WatchDocument', 'WatchInbox', 'Details']);
  for (const { name, query, variables } of streamed) {
    const body = { query, variables: JSON.parse(variables || '{}') as object };
    const response = await gateway.post(body, { accept: 'text/event-stream' });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!/^event: next\ndata: .*\n\n/m.test(text)) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    const [, json = '{}'] = /^event: next\ndata: (.*)$/m.exec(text) ?? [];
    const { data, errors } = JSON.parse(json) as { data?: object; errors?: unknown };
    expect({ name, errors }).toEqual({ name, errors: undefined });
    expect(Object.values(data ?? {})).not.toContain(null);
    expect(Object.keys(data ?? {})).toHaveLength(1);
  }
});

const root = new URL('../', import.meta.url);

/** The GraphQL documents of a file: the whole file, code blocks of a page, and tagged templates. */
function documentsOf(path: string): DocumentNode[] {
  const text = readFileSync(new URL(path, root), 'utf8');
  const found = path.endsWith('.graphql')
    ? [text]
    : [
        ...text.matchAll(/^```graphql\n([\s\S]*?)^```/gm),
        ...text.matchAll(/\b(?:graphql|gql)(?:\(\s*)?`([^`]*)`/g),
      ].map(([, document]) => document!);
  return found.flatMap((document) => {
    try {
      return [parse(document)];
    } catch {
      return []; // an excerpt
    }
  });
}

it('selects the ID of every object, as caches need it', () => {
  const files = globSync('{README.md,docs/*.md,examples/**/*.{graphql,md,ts,tsx}}', {
    cwd: fileURLToPath(root),
    exclude: ['**/node_modules/**', '**/gql/**'],
  });
  const interfaces = ['Node', 'Actor'].map((name) => schema.getType(name) as GraphQLInterfaceType);
  const types = new TypeInfo(schema);
  const missing: string[] = [];
  let checked = 0;
  const check = (path: string, { selections }: SelectionSetNode): void => {
    const type = types.getParentType();
    if (!isInterfaceType(type) && !isObjectType(type)) return;
    if (!interfaces.some((one) => one === type || schema.isSubType(one, type))) return;
    checked += 1;
    // A fragment is checked where it is defined.
    const hasId = selections.some(
      (one) =>
        one.kind === Kind.FRAGMENT_SPREAD || (one.kind === Kind.FIELD && one.name.value === 'id'),
    );
    if (hasId) return;
    missing.push(`${path}: ${type.name} ${selections.map((one) => print(one)).join(' ')}`);
  };
  for (const path of files) {
    for (const document of documentsOf(path)) {
      const onSelections = {
        enter(set: SelectionSetNode, _key: unknown, parent: unknown) {
          const { kind } = parent as ASTNode;
          if (kind !== Kind.INLINE_FRAGMENT) check(path, set);
        },
      };
      visit(document, visitWithTypeInfo(types, { [Kind.SELECTION_SET]: onSelections }));
    }
  }
  expect(missing).toEqual([]);
  expect(checked).toBeGreaterThan(80);
});
