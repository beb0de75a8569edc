import {
  DirectiveLocation,
  GraphQLDirective,
  specifiedDirectives,
  type GraphQLSchema,
} from 'graphql';
import { builder } from './builder.ts';
import { limitFields } from './plan/list-fields.ts';
import { extendSchema, type SchemaExtension, type SchemaForms } from './extend.ts';
import './common.ts';
import './person.ts';
import './org-unit.ts';
import './list-value.ts';
import './organization.ts';
import './form.ts';
import './document/type.ts';
import './document/field-values.ts';
import './document/recognition.ts';
import './document/references.ts';
import './document/queries.ts';
import './document/create-mutation.ts';
import './document/workflow-mutations.ts';
import './document-response.ts';
import './node.ts';

builder.queryType({
  description:
    'Entry points for reading. A nullable field is null if the DMS has no value for it, or if reading it failed; in that case, `errors` has an entry with the path of the field. A field that fetches an object by ID is null if the DMS does not find the object for this user. Lists keep the order of the DMS, unless an argument sorts them. Within one operation, identical requests are sent to the DMS once.',
});
builder.mutationType({
  description:
    'Entry points for writing. Mutations of one operation run one after the other. Each is sent to the DMS once and never retried. If a write was sent and no usable response came, the error code is `OUTCOME_UNKNOWN`: read the object before you try again. Expected errors, such as invalid input, are returned as data in the result union.',
});

/**
 * The directives of the GraphQL specification of September 2025. graphql-js declares a location of `@deprecated` that no
 * released specification has, and clients fail when they read it (graphql-js up to 16.12, graphql-core).
 */
const releasedDirectives: readonly GraphQLDirective[] = specifiedDirectives.map((directive) => {
  const { locations, ...config } = directive.toConfig();
  return new GraphQLDirective({
    ...config,
    locations: locations.filter((one) => one !== DirectiveLocation.DIRECTIVE_DEFINITION),
  });
});

const buildSchema = (): GraphQLSchema => builder.toSchema({ directives: releasedDirectives });

export const schema = limitFields(buildSchema());

const extendedSchemas = new WeakMap<object, GraphQLSchema>();

export function schemaWith(
  forms: SchemaForms | null,
  ...extensions: readonly SchemaExtension[]
): GraphQLSchema {
  const [key, other] = forms === null ? extensions : [forms, ...extensions];
  if (key === undefined) return schema;
  const isShared = other === undefined;
  const known = isShared ? extendedSchemas.get(key) : undefined;
  if (known !== undefined) return known;
  let extended = buildSchema();
  if (forms !== null) extended = extendSchema(extended, forms.extendSchema, 'gateway');
  for (const extension of extensions) extended = extendSchema(extended, extension, 'team');
  limitFields(extended);
  if (isShared) extendedSchemas.set(key, extended);
  return extended;
}
