import { DirectiveLocation, GraphQLDirective, specifiedDirectives } from 'graphql';

/**
 * The directives of the GraphQL specification of September 2025. graphql-js declares a location of `@deprecated` that no
 * released specification has, and clients fail when they read it (graphql-js up to 16.12, graphql-core).
 */
export const releasedDirectives: readonly GraphQLDirective[] = specifiedDirectives.map(
  (directive) => {
    const { locations, ...config } = directive.toConfig();
    return new GraphQLDirective({
      ...config,
      locations: locations.filter((one) => one !== DirectiveLocation.DIRECTIVE_DEFINITION),
    });
  },
);
