import { readdir, readFile } from 'node:fs/promises';
import { parse, type OperationTypeNode } from 'graphql';

/** The headings of the examples, in order. */
const groups = ['Read', 'Nested', 'Write', 'Live', 'Deferred'] as const;

/** An operation to copy, as the playground shows it. */
export interface Example {
  /** Name of the operation. */
  readonly name: string;
  /** The comment above the operation, on one line. */
  readonly description: string;
  readonly group: (typeof groups)[number];
  readonly type: OperationTypeNode;
  readonly query: string;
  /** The variables as JSON text. Empty if the operation needs none. */
  readonly variables: string;
}

const folder = new URL('../../../../examples/', import.meta.url);

/**
 * Reads the operations of the folder `examples`, by group and then in the order of their file names. Each file has one
 * operation, and its variables are in a JSON file of the same name. Empty if the folder is not installed.
 */
export async function readExamples(): Promise<readonly Example[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  const queries = (names ?? []).filter((name) => name.endsWith('.graphql')).toSorted();
  const examples = await Promise.all(queries.map(readExample));
  return examples.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
}

async function readExample(name: string): Promise<Example> {
  const text = await readFile(new URL(name, folder), 'utf8');
  const variables = await readFile(new URL(name.replace(/graphql$/, 'json'), folder), 'utf8').catch(
    ignoreMissing,
  );
  const operation = parse(text).definitions.find((one) => one.kind === 'OperationDefinition');
  if (operation?.name === undefined) throw new Error(`${name} has no operation with a name`);
  const [comment = ''] = /^(?:#.*\n)+/.exec(text) ?? [];
  return {
    name: operation.name.value,
    description: comment.replaceAll(/^# ?/gm, '').replaceAll('`', '').trim().replaceAll('\n', ' '),
    group: groupOf(operation.operation, text),
    type: operation.operation,
    query: text,
    variables: variables ?? '',
  };
}

function groupOf(type: OperationTypeNode, text: string): Example['group'] {
  if (type === 'mutation') return 'Write';
  if (type === 'subscription') return 'Live';
  if (/@(?:defer|stream)\b/.test(text)) return 'Deferred';
  // An object in an object in a list or an object.
  return / {8}\w.*\{\n/.test(text) ? 'Nested' : 'Read';
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
