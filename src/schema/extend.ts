import {
  isObjectType,
  validateSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../context.ts';
import { isRequirement } from '../model/document-requirements.ts';
import type { builder, SchemaTypes } from './builder.ts';
import { guardField, guardProperty, guardType, isPromise } from './guards.ts';
import { loadAddGraphQL, SchemaBuilder } from './libraries.ts';
import { mutationErrorRefs } from './input/mutation-error.ts';
import type { FormsWithRules } from './input/value-rules.ts';
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
 * @param createsObjects whether the extension has resolvers that return its own objects of the gateway's types
 * @throws if the extension throws, or if the result is not a valid schema
 */
export function extendSchema(
  schema: GraphQLSchema,
  extension: SchemaExtension,
  createsObjects: boolean,
): GraphQLSchema {
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
    if (original === undefined) guardType(type);
    if (!isObjectType(type)) continue;
    const known = isObjectType(original) ? original.getFields() : {};
    for (const field of Object.values(type.getFields())) {
      const before = known[field.name];
      // The hints of a field are options of the builder that defined it.
      if (before === undefined) completeField(field, type.name);
      else {
        field.extensions = before.extensions;
        if (createsObjects && field.resolve === undefined) guardProperty(field);
      }
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

/** Checks, marks and guards a field of the extension. */
function completeField(field: GraphQLField<unknown, GatewayContext>, typeName: string): void {
  const { requirements, checkArgs } = checkedRequirements(field, typeName);
  const pothosOptions: FieldHints = { ...hintsOf(field), ...requirements, isAdded: true };
  field.extensions = { ...field.extensions, pothosOptions };
  guardField(field, checkArgs);
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
