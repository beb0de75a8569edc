import {
  isInputObjectType,
  isObjectType,
  isScalarType,
  validateSchema,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../context.ts';
import { isRequirement } from '../rest/index.ts';
import type { builder, SchemaTypes } from './builder.ts';
import { createGraphQLError, isGraphQLError } from './graphql-error.ts';
import { isPromise, loadAddGraphQL, SchemaBuilder } from './libraries.ts';
import { mutationErrorRefs } from './input/mutation-error.ts';
import type { FormsWithRules } from './input/value-rules.ts';
import * as refs from './refs.ts';
import { hintsPlugin } from './hints-plugin.ts';
import { extensionsWith, hintsOf } from './plan/operation-plan.ts';

/** Methods of the Relay plugin, which the schema of the gateway has already used. */
type RelayMethod =
  | 'connectionObject'
  | 'edgeObject'
  | 'globalConnectionField'
  | 'globalConnectionFields'
  | 'node'
  | 'nodeInterfaceRef'
  | 'nodeRef'
  | 'pageInfoRef'
  | 'relayMutationField';

/**
 * Adds types and fields to the schema of the gateway, as Pothos' builder does. A field of Document, DocumentResponse,
 * RecoData or RecoResult lists in `requires` the properties that it reads, which join the same REST call. A field that
 * costs a request per parent object has `upstreamCalls: true`.
 */
export type ExtensionBuilder = Omit<typeof builder, RelayMethod>;

/** The refs of the types of the gateway: to add fields to them, and as types of fields. */
export type SchemaRefs = Omit<typeof refs, 'metaField'>;

/** Adds types and fields to the schema. Called once for each schema, synchronously. */
export type SchemaExtension = (builder: ExtensionBuilder, refs: SchemaRefs) => void;

/** Declared forms, and what they add to the schema. */
export interface SchemaForms extends FormsWithRules {
  readonly extendSchema: SchemaExtension;
}

/**
 * Creates a schema with the types and resolvers of another one and those of an extension. The other one stays as it is,
 * so that a process can have several.
 *
 * @param author who wrote the resolvers of the extension
 * @throws if the extension throws, or if the result is not a valid schema
 */
export function extendSchema(
  schema: GraphQLSchema,
  extension: SchemaExtension,
  author: 'gateway' | 'team',
): GraphQLSchema {
  const extended = new SchemaBuilder<SchemaTypes>({
    plugins: [loadAddGraphQL(), hintsPlugin],
    defaultFieldNullability: false,
    add: { schema },
    // The types require the options of the Relay plugin, whose types `schema` contains.
  } as never);
  const { configStore } = extended;
  for (const ref of [...Object.values(refs), ...mutationErrorRefs]) {
    if ('name' in ref) configStore.associateParamWithRef(ref, ref.name);
  }
  const { objectRef } = extended;
  // A type is found by its name: a team has no other ref of most types of the gateway.
  extended.objectRef = (name) => {
    const ref = objectRef.call(extended, name);
    configStore.associateParamWithRef(ref, name);
    return ref as never;
  };
  // The core has no subscriptions. A feature that has some adds them to the type.
  for (const name of ['subscriptionField', 'subscriptionFields'] as const) {
    const add = extended[name].bind(extended) as (...args: unknown[]) => void;
    extended[name] = (...args: unknown[]) => {
      if (!configStore.hasConfig('Subscription')) extended.subscriptionType({});
      add(...args);
    };
  }
  const returned: unknown = extension(extended, refs);
  if (isPromise(returned)) {
    Promise.resolve(returned).catch(() => {}); // what follows is the error
    throw new Error('`schema` must not be asynchronous: load what it needs before it is called.');
  }
  for (const name of Object.keys(schema.getTypeMap())) {
    // Pothos would use the new type without the fields of the existing one.
    if (configStore.hasConfig(name)) {
      throw new Error(
        `The type ${name} already exists. Use \`builder.objectField\`, or \`builder.queryField\` for Query, to add a field to it.`,
      );
    }
  }
  const result = extended.toSchema({ directives: [...schema.getDirectives()] });
  const [invalid] = validateSchema(result);
  if (invalid !== undefined) throw invalid;
  for (const type of Object.values(result.getTypeMap())) {
    checkNames(type);
    const original = schema.getType(type.name);
    if (original === undefined && isScalarType(type)) reportAsClientErrors(type);
    // Pothos' plugin does not take it over.
    if (isInputObjectType(type) && isInputObjectType(original)) type.isOneOf = original.isOneOf;
    if (!isObjectType(type)) continue;
    const known = isObjectType(original) ? original.getFields() : {};
    for (const field of Object.values(type.getFields())) {
      if (field.name in known) continue;
      checkRequirements(field, type.name);
      if (author === 'team') completeTeamField(field);
    }
  }
  return result;
}

/** GraphQL.js reads inherited properties too: each input would have a value for a field with the name `toString`. */
function checkNames(type: GraphQLNamedType): void {
  const check = (name: string, at: string): void => {
    if (!(name in Object.prototype)) return;
    throw new Error(`The name "${name}" of ${at} is reserved. Choose another one.`);
  };
  check(type.name, type.name);
  if (!('getFields' in type)) return;
  for (const field of Object.values(type.getFields())) {
    const at = `${type.name}.${field.name}`;
    check(field.name, at);
    for (const { name } of 'args' in field ? field.args : []) check(name, at);
  }
}

/** A configuration that is not compiled can misspell a requirement, which the REST client would ignore. */
function checkRequirements(field: GraphQLField<unknown, GatewayContext>, typeName: string): void {
  const { requires = [] } = hintsOf(field);
  if (typeof requires === 'function') return;
  const at = `${typeName}.${field.name}`;
  if (!Array.isArray(requires)) throw new Error(`${at}: \`requires\` must be a list of properties`);
  const unknown = requires.find((name) => !isRequirement(typeName, name));
  if (unknown === undefined) return;
  throw new Error(
    `${at} requires ${JSON.stringify(unknown)}, which is not a property that a field of ${typeName} can require`,
  );
}

function completeTeamField(field: GraphQLField<unknown, GatewayContext>): void {
  field.extensions = extensionsWith({ isTeamField: true }, field.extensions);
  if (field.resolve) field.resolve = untilDeadline(field.resolve);
}

/** A service of a team that never answers costs its field only, as a DMS that never answers does. */
function untilDeadline(
  resolve: GraphQLFieldResolver<unknown, GatewayContext>,
): GraphQLFieldResolver<unknown, GatewayContext> {
  return (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    if (!isPromise(value)) return value;
    const { budget } = context.dms;
    const late = Promise.withResolvers<never>();
    const onDeadline = (): void =>
      late.reject(
        createGraphQLError(
          'The field was not resolved in time; REQUEST_TIMEOUT_MS limits the operation.',
          { extensions: { code: 'UPSTREAM_TIMEOUT' } },
        ),
      );
    budget.addEndListener(onDeadline);
    return Promise.race([value, late.promise]).finally(() => budget.removeEndListener(onDeadline));
  };
}

/** An input that a scalar rejects is an error of the client, whatever is thrown. Other messages can be about values. */
function reportAsClientErrors(type: GraphQLScalarType): void {
  const reported =
    <Args extends unknown[], T>(parse: (...args: Args) => T) =>
    (...args: Args): T => {
      try {
        return parse(...args);
      } catch (error) {
        if (isGraphQLError(error)) throw error;
        throw createGraphQLError(`The value is not a valid ${type.name}.`);
      }
    };
  type.parseValue = reported(type.parseValue);
  type.parseLiteral = reported(type.parseLiteral);
}
