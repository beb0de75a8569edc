import { buildSchema, type GraphQLEnumType, type GraphQLObjectType } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { WorkflowAction } from '../src/model/document.ts';
import { errorCodes } from '../src/model/error-codes.ts';
import { actionToWire } from '../src/rest/wire/document-response.ts';

const page = (name: string): string =>
  readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));

/** The rows of all tables between a marker and its end as trimmed cells, without heads and delimiter rows. */
function tableRows(text: string, marker: string): string[][] {
  const [, part] = new RegExp(`<!-- ${marker} -->([\\s\\S]*?)<!-- end of ${marker} -->`).exec(
    text,
  )!;
  return part!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

it.each(['index', 'clients', 'schema', 'testing'])(
  'gives every export of %s a docstring',
  (name) => {
    const report = readFileSync(new URL(`../api/${name}.api.md`, import.meta.url), 'utf8');
    expect(report).not.toMatch(/\(undocumented\)\nexport /);
  },
);

it('explains every error code with its properties and no other', () => {
  const yesOrNo = new Map<boolean | null, string>([
    [true, 'yes'],
    [false, 'no'],
    [null, '–'],
  ]);
  const expected = Object.entries(errorCodes)
    .filter(([, { isPublic }]) => isPublic)
    .map(([code, { status, isRetryable, isNotExecuted }]) => [
      `\`${code}\``,
      expect.stringMatching(new RegExp(`\\b${status}\\b`)),
      yesOrNo.get(isRetryable),
      isNotExecuted ? 'not executed' : 'may be executed',
      expect.stringMatching(/\w/),
    ]);
  expect(tableRows(page('errors.md'), 'codes')).toEqual(expected);
});

it('names a field for each call of version 2 of the REST API', () => {
  const text = page('dms-http-api.md');
  const specified = text.match(/(?:GET|POST|PUT|DELETE) \/api\/v2[^ `|]*/g)!;
  const rows = [...text.matchAll(/^\|[^`\n]*`(\w+ \/api\/v2[^`]*)` .*\|([^|\n]*)\|$/gm)];
  expect(rows.map(([, call]) => call!).toSorted()).toEqual([...new Set(specified)].toSorted());
  for (const [, call, cell] of rows) {
    const fields = [...cell!.matchAll(/`(\w+)\.(\w+)/g)];
    expect(`${call}: ${fields.length}`).not.toBe(`${call}: 0`);
    for (const [, type, field] of fields) {
      const { [field!]: definition } = (schema.getType(type!) as GraphQLObjectType).getFields();
      expect(definition, `${type}.${field}`).toBeDefined();
    }
  }
});

it('names the action for each action code', () => {
  const expected = ['ResponseAction', 'PhaseAction']
    .flatMap((name) => (schema.getType(name) as GraphQLEnumType).getValues())
    .map(({ value }) => [String(actionToWire(value as WorkflowAction).taskstatus), value]);
  const rows = page('dms-http-api.md').matchAll(/^\| (\d+) .*\| `(\w+)` +\|$/gm);
  const actions = [...rows].filter(([line]) => !line.includes('/api/')).map(([, ...row]) => row);
  expect(actions).toEqual(expected.toSorted(([a], [b]) => Number(a) - Number(b)));
});
