import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type TypeNode,
} from 'graphql';
import { areFormsDeclared, withoutDeclaredForms } from '../../client/declared-forms.ts';

/**
 * Returns a query document that runs without variables: their values are its default values. The fields that Apollo
 * Client adds are removed.
 */
export function toRunnableQuery(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): string {
  const readable = visit(document, {
    Field: (node) => (node.name.value === '__typename' ? null : undefined),
    VariableDefinition: (node) => {
      const literal = literalOf(variables[node.variable.name.value], isEnum(node.type));
      return { ...node, defaultValue: { kind: Kind.ENUM, value: literal } };
    },
  });
  return print(readable);
}

/** Returns a query document that reads a fragment of one document. */
export function toQueryOfDocument(fragment: DocumentNode, id: string): string {
  const { name } = fragment.definitions[0] as FragmentDefinitionNode;
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: 'query' as never,
        name,
        selectionSet: {
          kind: Kind.SELECTION_SET,
          selections: [
            {
              kind: Kind.FIELD,
              name: { kind: Kind.NAME, value: 'document' },
              arguments: [
                {
                  kind: Kind.ARGUMENT,
                  name: { kind: Kind.NAME, value: 'id' },
                  value: { kind: Kind.STRING, value: id },
                },
              ],
              selectionSet: {
                kind: Kind.SELECTION_SET,
                selections: [{ kind: Kind.FRAGMENT_SPREAD, name }],
              },
            },
          ],
        },
      },
      ...fragment.definitions,
    ],
  };
  return toRunnableQuery(areFormsDeclared.get() ? document : withoutDeclaredForms(document), {});
}

/** The types of this schema that are written like strings are known, so that the others are enums. */
function isEnum(type: TypeNode): boolean {
  if (type.kind !== Kind.NAMED_TYPE) return isEnum(type.type);
  return !['DateTime', 'ID', 'ObjectID', 'String'].includes(type.name.value);
}

/** Writes a value as a literal. Fields of objects that are empty or null are no condition, and are left out. */
function literalOf(value: unknown, isEnumValue: boolean): string {
  if (typeof value === 'string') return isEnumValue ? value : JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((one) => literalOf(one, isEnumValue)).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return `${(value as number | null | undefined) ?? 'null'}`;
  const fields = Object.entries(value).filter(
    ([, field]) => field != null && !(Array.isArray(field) && field.length === 0),
  );
  return `{ ${fields.map(([name, field]) => `${name}: ${literalOf(field, false)}`).join(', ')} }`;
}
