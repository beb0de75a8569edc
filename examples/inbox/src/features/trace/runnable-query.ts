import { Kind, print, visit, type DocumentNode, type TypeNode } from 'graphql';

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
