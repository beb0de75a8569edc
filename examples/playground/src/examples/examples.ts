import { parse, type OperationDefinitionNode, type OperationTypeNode } from 'graphql';

const groups = ['Read', 'Nested', 'Typed forms', 'Write', 'Live', 'Deferred'] as const;

export interface Example {
  readonly name: string;
  /** The comment above the operation, on one line. */
  readonly description: string;
  readonly group: (typeof groups)[number];
  readonly type: OperationTypeNode;
  readonly query: string;
  readonly variables: string;
}

/**
 * Returns the examples by group, and then in the order of their file names.
 *
 * @param files text by path: files with one operation each, and a JSON file of the same name for its variables
 */
export function examplesFrom(files: Readonly<Record<string, string>>): readonly Example[] {
  const paths = Object.keys(files).filter((path) => path.endsWith('.graphql'));
  const examples = paths
    .toSorted()
    .map((path) => exampleFrom(path, files[path]!, files[path.replace(/graphql$/, 'json')] ?? ''));
  return examples.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
}

function exampleFrom(path: string, query: string, variables: string): Example {
  const operation = parse(query).definitions.find(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  );
  if (operation?.name === undefined) throw new Error(`${path} has no operation with a name`);
  const [comment = ''] = /^(?:#.*\n)+/.exec(query) ?? [];
  return {
    name: operation.name.value,
    description: comment.replaceAll(/^# ?/gm, '').replaceAll('`', '').trim().replaceAll('\n', ' '),
    group: path.includes('typed-forms') ? 'Typed forms' : groupOf(operation.operation, query),
    type: operation.operation,
    query,
    variables,
  };
}

function groupOf(type: OperationTypeNode, query: string): Example['group'] {
  if (type === 'mutation') return 'Write';
  if (type === 'subscription') return 'Live';
  if (/@(?:defer|stream)\b/.test(query)) return 'Deferred';
  // An object in an object in a list or an object.
  return / {8}\w.*\{\n/.test(query) ? 'Nested' : 'Read';
}

export function searchExamples(examples: readonly Example[], text: string): readonly Example[] {
  const words = text.toLowerCase().split(/\s+/);
  return examples.filter(({ name, group, description, query }) => {
    const searched = `${name} ${group} ${description} ${query}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
