import {
  getNullableType,
  isListType,
  isObjectType,
  validateSchema,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../context.ts';
import { isRequirement } from '../model/document-requirements.ts';
import type { builder, SchemaTypes } from './builder.ts';
import { createGraphQLError } from './graphql-error.ts';
import { isAsyncIterable } from './graphql-tools.ts';
import { mutationErrorRefs } from './input/mutation-error.ts';
import { loadAddGraphQL, SchemaBuilder } from './pothos.ts';
import * as refs from './refs.ts';
import { hintsOf, type FieldHints } from './plan/field-hints.ts';

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

/** References to the types of the gateway: to add fields to them, and as types of fields. */
export type SchemaRefs = Omit<typeof refs, 'metaField'>;

/** Adds types and fields to the schema. Called once for each schema, synchronously. */
export type SchemaExtension = (builder: ExtensionBuilder, refs: SchemaRefs) => void;

/**
 * Creates a schema with the types and resolvers of another one and those of an extension. The other one stays as it is,
 * so that a process can have several.
 *
 * @throws if the extension throws, or if the result is not a valid schema
 */
export function extendSchema(schema: GraphQLSchema, extension: SchemaExtension): GraphQLSchema {
  const extended = new SchemaBuilder<SchemaTypes>({
    plugins: [loadAddGraphQL()],
    defaultFieldNullability: false,
    add: { schema },
    // The types require the options of the Relay plugin, whose types `schema` contains.
  } as never);
  for (const ref of [...Object.values(refs), ...mutationErrorRefs]) {
    if ('name' in ref) extended.configStore.associateParamWithRef(ref, ref.name);
  }
  extension(extended, refs);
  for (const name of Object.keys(schema.getTypeMap())) {
    // Pothos would use the new type without the fields of the existing one.
    if (extended.configStore.hasConfig(name)) {
      throw new Error(
        `The type ${name} already exists. Use \`builder.objectField\` to add a field to it.`,
      );
    }
  }
  const result = extended.toSchema({ directives: [...schema.getDirectives()] });
  const [invalid] = validateSchema(result);
  if (invalid !== undefined) throw invalid;
  for (const type of Object.values(result.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const original = schema.getType(type.name);
    const known = isObjectType(original) ? original.getFields() : {};
    for (const field of Object.values(type.getFields())) {
      const before = known[field.name];
      // The hints of a field are options of the builder that defined it.
      if (before !== undefined) field.extensions = before.extensions;
      else completeField(field, type.name);
    }
  }
  return result;
}

/** Checks and marks a field of the extension, and ends its resolver with its operation. */
function completeField(field: GraphQLField<unknown, GatewayContext>, typeName: string): void {
  const requirements = checkedRequirements(field, typeName);
  const pothosOptions: FieldHints = { ...hintsOf(field), ...requirements, isAdded: true };
  field.extensions = { ...field.extensions, pothosOptions };
  const { resolve } = field;
  if (resolve === undefined) return;
  const isList = isListType(getNullableType(field.type));
  field.resolve = (source, args, context, info) =>
    settled(resolve(source, args, context, info), isList, context);
}

/**
 * Returns the value of a field without what executors treat differently: thenables that are not promises, and
 * asynchronous iterables. A promise ends with the operation, also as an item of a list.
 */
function settled(value: unknown, isList: boolean, context: GatewayContext): unknown {
  const { budget } = context.dms;
  if (isPromise(value)) {
    const settling = Promise.resolve(value).then((inner) => settled(inner, isList, context));
    return untilEnd(settling, budget, lateField);
  }
  if (!isList) return value;
  if (isAsyncIterable(value)) return untilEnd(listOf(value, context), budget, lateField);
  return Array.isArray(value) && value.some(isPromise)
    ? value.map((item) => settled(item, false, context))
    : value;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

const lateField = 'The field was not resolved in time; REQUEST_TIMEOUT_MS limits the operation.';

/** Reads a list, but no more than can be returned: it may have no end. */
async function listOf(
  values: AsyncIterable<unknown>,
  { dms: { budget }, maxListFields }: GatewayContext,
): Promise<readonly unknown[]> {
  const list: unknown[] = [];
  for await (const value of values) {
    list.push(value);
    if (list.length > maxListFields || budget.endReason(null) !== null) break;
  }
  return list;
}

/**
 * Returns what a promise of a team resolves to. A service of a team that never answers must not keep the request open.
 *
 * @throws `UPSTREAM_TIMEOUT` with the message when the budget ends
 */
export async function untilEnd<T>(
  value: Promise<T>,
  budget: GatewayContext['dms']['budget'],
  message: string,
): Promise<T> {
  const end = Promise.withResolvers<never>();
  const onEnd = (): void =>
    end.reject(createGraphQLError(message, { extensions: { code: 'UPSTREAM_TIMEOUT' } }));
  if (budget.endReason(null) === null) budget.addEndListener(onEnd);
  else onEnd();
  try {
    return await Promise.race([value, end.promise]);
  } finally {
    budget.removeEndListener(onEnd);
  }
}

/**
 * Returns the requirements of a field. A configuration that is not compiled can misspell one, which the REST client would
 * ignore: those of a list are checked now, those of a function when it is called.
 */
function checkedRequirements(
  field: GraphQLField<unknown, GatewayContext>,
  typeName: string,
): Pick<FieldHints, 'requires'> {
  const { requires } = hintsOf(field);
  const check = (names: readonly string[]): readonly string[] => {
    const unknown = names.find((name) => !isRequirement(typeName, name));
    if (unknown === undefined) return names;
    throw new Error(
      `${typeName}.${field.name} requires ${JSON.stringify(unknown)}, which is not a property that a field of ${typeName} can require`,
    );
  };
  if (requires === undefined) return {};
  if (typeof requires === 'function') return { requires: (args) => check(requires(args)) };
  return { requires: check(requires) };
}
