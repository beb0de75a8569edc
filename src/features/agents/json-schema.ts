import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  typeFromAST,
  valueFromASTUntyped,
  type GraphQLInputType,
  type GraphQLOutputType,
  type NamedTypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { OperationPlan, PlannedField, Selection } from '../../schema/plan/operation-plan.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const maxCharacters = 8000;
const maxLevels = 8;
const maxDescription = 200;

const anyValue: JsonSchema = {
  anyOf: ['object', 'array', 'string', 'number', 'boolean'].map((type) => ({ type })),
};

const scalarTypes: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Date: 'string',
  DateTime: 'string',
  Decimal: 'string',
  Float: 'number',
  ID: 'string',
  Int: 'integer',
  JSONObject: 'object',
  ObjectID: 'string',
  String: 'string',
  URL: 'string',
};

export function inputSchemaOf({ schema, operation }: OperationPlan): JsonSchema {
  const variables = (operation.variableDefinitions ?? []).map((node) => ({
    node,
    name: node.variable.name.value,
    type: typeFromAST(schema, node.type as NamedTypeNode) as GraphQLInputType,
  }));
  return bounded((levels) => ({
    type: 'object',
    properties: Object.fromEntries(
      variables.map(({ node, name, type }) => [
        name,
        { ...inputSchema(type, levels, node.description?.value), ...defaultOf(node) },
      ]),
    ),
    required: variables
      .filter(({ node, type }) => isNonNullType(type) && node.defaultValue === undefined)
      .map(({ name }) => name),
    additionalProperties: false,
  }));
}

export function dataSchemaOf({ root }: OperationPlan): JsonSchema {
  return bounded((levels) => orNull(objectSchema([root], levels)));
}

function bounded(create: (levels: number) => JsonSchema): JsonSchema {
  let largest: JsonSchema = { type: 'object' };
  for (let levels = 0; levels <= maxLevels; levels += 1) {
    const schema = create(levels);
    if (JSON.stringify(schema).length > maxCharacters) break;
    largest = schema;
  }
  return largest;
}

function defaultOf({ defaultValue }: VariableDefinitionNode): JsonSchema {
  return defaultValue ? { default: valueFromASTUntyped(defaultValue) } : {};
}

function inputSchema(type: GraphQLInputType, levels: number, text?: string | null): JsonSchema {
  const named = getNullableType(type);
  const isDescribed = !isListType(named) && !isSpecifiedScalarType(named);
  const description = text ?? (isDescribed ? named.description : null);
  const schema = isListType(named)
    ? { type: 'array', items: inputSchema(named.ofType, levels) }
    : isInputObjectType(named)
      ? inputObjectSchema(named.getFields(), named.isOneOf, levels)
      : leafSchema(named);
  return { ...nullable(type, schema), ...(description && { description: shorten(description) }) };
}

function inputObjectSchema(
  fields: Readonly<Record<string, Parameters<typeof isRequiredInputField>[0]>>,
  isOneOf: boolean,
  levels: number,
): JsonSchema {
  if (levels === 0) return { type: 'object' };
  const all = Object.values(fields).filter(({ type }) => !isFile(type));
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(({ name, type, description }) => [
        name,
        inputSchema(isOneOf ? new GraphQLNonNull(type) : type, levels - 1, description),
      ]),
    ),
    required: all.filter(isRequiredInputField).map(({ name }) => name),
    additionalProperties: false,
    ...(isOneOf && { minProperties: 1, maxProperties: 1 }),
  };
}

/** A tool cannot send files. */
function isFile(type: GraphQLInputType): boolean {
  return getNamedType(type).name === 'Upload';
}

function objectSchema(selections: readonly Selection[], levels: number): JsonSchema {
  if (levels === 0) return { type: 'object' };
  const byKey = Map.groupBy(
    selections.flatMap(({ fields }) => fields),
    ({ node }) => node.alias?.value ?? node.name.value,
  );
  const properties = [...byKey].map(([key, fields]) => [key, fieldSchema(fields, levels)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function fieldSchema(fields: readonly PlannedField[], levels: number): JsonSchema {
  const [{ definition, parentType }] = fields as [PlannedField];
  if (definition === null) return { const: parentType.name }; // `__typename`
  return outputSchema(
    definition.type,
    fields.flatMap(({ below }) => below),
    levels,
  );
}

function outputSchema(
  type: GraphQLOutputType,
  below: readonly Selection[],
  levels: number,
): JsonSchema {
  const named = getNullableType(type);
  if (isListType(named)) {
    const items = outputSchema(named.ofType, below, levels);
    return nullable(type, { type: 'array', items });
  }
  if (below.length === 0) return nullable(type, leafSchema(named));
  const byType = Map.groupBy(below, (selection) => selection.type.name);
  const schemas = [...byType.values()].map((one) => objectSchema(one, levels - 1));
  const different = new Map(schemas.map((one) => [JSON.stringify(one), one]));
  const [only] = different.values();
  return nullable(type, different.size === 1 ? only! : { anyOf: [...different.values()] });
}

function leafSchema(type: GraphQLInputType | GraphQLOutputType): JsonSchema {
  if (isEnumType(type)) {
    return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  }
  const jsonType = isScalarType(type) ? scalarTypes[type.name] : undefined;
  return jsonType === undefined ? anyValue : { type: jsonType };
}

function nullable(type: GraphQLInputType | GraphQLOutputType, schema: JsonSchema): JsonSchema {
  return isNonNullType(type) ? schema : orNull(schema);
}

function orNull(schema: JsonSchema): JsonSchema {
  const alternatives = (schema['anyOf'] as readonly JsonSchema[] | undefined) ?? [schema];
  return { anyOf: [...alternatives, { type: 'null' }] };
}

function shorten(text: string): string {
  const [sentence = ''] = /^[^]*?[.!?](?=\s|$)/.exec(text) ?? [text];
  return sentence.length > maxDescription ? `${sentence.slice(0, maxDescription)}…` : sentence;
}
