import {
  DirectiveLocation,
  getDirectiveValues,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLString,
  type DirectiveNode,
  type SelectionNode,
} from 'graphql';

const label = {
  type: GraphQLString,
  description: 'A name for the parts, unique within the query document.',
};

/**
 * `@defer` of the proposal of 24 August 2022, which Apollo Client, urql and Relay support.
 * @see https://github.com/graphql/graphql-spec/pull/742
 */
export const deferDirective = new GraphQLDirective({
  name: 'defer',
  description: 'Sends the fields of a fragment in a later part of the result. In queries only.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: {
      type: new GraphQLNonNull(GraphQLBoolean),
      defaultValue: true,
      description: 'If false, the fragment is part of the first result.',
    },
    label,
  },
});

export const streamDirective = new GraphQLDirective({
  name: 'stream',
  description: 'Sends the items of a list in later parts of the result. In queries only.',
  locations: [DirectiveLocation.FIELD],
  args: {
    if: {
      type: new GraphQLNonNull(GraphQLBoolean),
      defaultValue: true,
      description: 'If false, all items are part of the first result.',
    },
    initialCount: {
      type: new GraphQLNonNull(GraphQLInt),
      defaultValue: 0,
      description: 'Number of items in the first result, 0 or more.',
    },
    label,
  },
});

type Variables = Readonly<Record<string, unknown>>;

export function isDeferred(node: SelectionNode, variables: Variables): boolean {
  const deferred = getDirectiveValues(deferDirective, node, variables);
  return deferred !== undefined && deferred['if'] !== false;
}

export function initialCountOf(
  node: { readonly directives?: readonly DirectiveNode[] },
  variables: Variables,
): number | null {
  const streamed = getDirectiveValues(streamDirective, node, variables);
  return streamed === undefined || streamed['if'] === false
    ? null
    : (streamed['initialCount'] as number);
}
