import { Kind, type DocumentNode, type FragmentDefinitionNode } from 'graphql';

/** Returns the fragment definitions of a query document by name. Empty if it has none. */
export function fragmentsOf({
  definitions,
}: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}
