import {
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  validateSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../context.ts';
import { isRequirement } from '../model/document-requirements.ts';
import type { builder, SchemaTypes } from './builder.ts';
import { createGraphQLError } from './graphql-error.ts';
import { isAsyncIterable, isIterableObject, loadAddGraphQL, SchemaBuilder } from './libraries.ts';
import { mutationErrorRefs } from './input/mutation-error.ts';
import * as refs from './refs.ts';
import { hintsOf, type FieldHints } from './plan/operation-plan.ts';

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
  const { configStore } = extended;
  for (const ref of [...Object.values(refs), ...mutationErrorRefs]) {
    if ('name' in ref) configStore.associateParamWithRef(ref, ref.name);
  }
  const { objectRef } = extended;
  // A type is found by its name: a team has no other reference to most types of the gateway.
  extended.objectRef = (name) => {
    const ref = objectRef.call(extended, name);
    configStore.associateParamWithRef(ref, name);
    return ref as never;
  };
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
    const original = schema.getType(type.name);
    if (original === undefined) completeType(type);
    if (!isObjectType(type)) continue;
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
  const { requirements, checkArgs } = checkedRequirements(field, typeName);
  const pothosOptions: FieldHints = { ...hintsOf(field), ...requirements, isAdded: true };
  field.extensions = { ...field.extensions, pothosOptions };
  const { resolve, subscribe } = field;
  if (subscribe !== undefined) {
    field.subscribe = (source, args, context, info) =>
      ended(subscribe(source, args, context, info), context);
  }
  if (resolve === undefined) return;
  const depth = listDepth(field.type);
  field.resolve = (source, args, context, info) => {
    checkArgs(args);
    return settled(resolve(source, args, context, info), depth, context);
  };
}

/** Ends the functions of a type of the extension that recognize its objects with their operation. */
function completeType(type: GraphQLNamedType): void {
  if (isAbstractType(type) && type.resolveType) {
    const { resolveType } = type;
    type.resolveType = (value, context: GatewayContext, info, abstractType) =>
      ended(resolveType(value, context, info, abstractType), context);
  }
  if (isObjectType(type) && type.isTypeOf) {
    const { isTypeOf } = type;
    type.isTypeOf = (value, context: GatewayContext, info) =>
      ended(isTypeOf(value, context, info), context);
  }
}

function ended<T>(value: T | PromiseLike<T>, { dms: { budget } }: GatewayContext) {
  if (!isPromise(value)) return value;
  const result = untilEnd(value, budget, lateField);
  // Executors drop the other items of a list that fails, whose rejections would be unhandled.
  result.catch(() => {});
  return result;
}

function listDepth(type: GraphQLOutputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listDepth(nullable.ofType) : 0;
}

/**
 * Returns the value of a field without what executors treat differently: thenables that are not promises, and iterables
 * that are not arrays. A promise ends with the operation, also as an item of a list.
 *
 * @param depth number of lists around each item of the field
 */
function settled(value: unknown, depth: number, context: GatewayContext): unknown {
  if (depth === 0) return ended(value, context);
  if (isPromise(value)) {
    return ended(
      Promise.resolve(value).then((inner) => settled(inner, depth, context)),
      context,
    );
  }
  if (isAsyncIterable(value)) {
    return ended(
      listOf(value, context).then((list) => settled(list, depth, context)),
      context,
    );
  }
  if (!isIterableObject(value)) return value;
  const items = Iterator.from(value).take(context.maxListFields + 1);
  return Array.from(items, (item) => settled(item, depth - 1, context));
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
}

const lateField = 'The field was not resolved in time; REQUEST_TIMEOUT_MS limits the operation.';

/** Reads a list, but no more than can be returned: it may have no end. */
async function listOf(
  values: AsyncIterable<unknown>,
  { dms: { budget }, maxListFields }: GatewayContext,
): Promise<readonly unknown[]> {
  const iterator = values[Symbol.asyncIterator]();
  const list: unknown[] = [];
  try {
    while (list.length <= maxListFields) {
      const next = await untilEnd(iterator.next(), budget, lateField);
      if (next.done === true) break;
      list.push(next.value);
    }
    return list;
  } finally {
    // Not awaited: a generator returns when its pending `next` has ended, which can be never.
    Promise.resolve()
      .then(() => iterator.return?.())
      .catch(() => {});
  }
}

/**
 * Returns what a promise of a team resolves to. A service of a team that never answers must not keep the request open.
 *
 * @throws `UPSTREAM_TIMEOUT` with the message when the budget ends
 * @internal
 */
export function untilEnd<T>(
  value: PromiseLike<T>,
  budget: GatewayContext['dms']['budget'],
  message: string,
): Promise<T> {
  // A list can have thousands of promises. `Promise.race` takes nearly twice as long.
  return new Promise((resolve, reject) => {
    const onEnd = (): void =>
      reject(createGraphQLError(message, { extensions: { code: 'UPSTREAM_TIMEOUT' } }));
    if (budget.endReason(null) === null) budget.addEndListener(onEnd);
    else onEnd();
    const release = (): void => budget.removeEndListener(onEnd);
    const given = Promise.resolve(value);
    given.then(resolve, reject);
    given.then(release, release);
  });
}

/**
 * Returns the requirements of a field. A configuration that is not compiled can misspell one, which the REST client would
 * ignore: those of a list are checked now. Those of a function are checked by `checkArgs`, when the field is resolved: an
 * error must not null the document that has the field.
 */
function checkedRequirements(
  field: GraphQLField<unknown, GatewayContext>,
  typeName: string,
): {
  readonly requirements: Pick<FieldHints, 'requires'>;
  readonly checkArgs: (args: Readonly<Record<string, unknown>>) => void;
} {
  const { requires } = hintsOf(field);
  const at = `${typeName}.${field.name}`;
  const check = (names: readonly string[]): readonly string[] => {
    if (!Array.isArray(names)) throw new Error(`${at}: \`requires\` must be a list of properties`);
    const unknown = names.find((name) => !isRequirement(typeName, name));
    if (unknown === undefined) return names;
    throw new Error(
      `${at} requires ${JSON.stringify(unknown)}, which is not a property that a field of ${typeName} can require`,
    );
  };
  const checkArgs = (): void => {};
  if (requires === undefined) return { requirements: {}, checkArgs };
  if (typeof requires !== 'function') {
    return { requirements: { requires: check(requires) }, checkArgs };
  }
  const checked: typeof requires = (args) => check(requires(args));
  const requiresOrNone: typeof requires = (args) => {
    try {
      return checked(args);
    } catch {
      return [];
    }
  };
  return { requirements: { requires: requiresOrNone }, checkArgs: checked };
}
