import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import {
  checksArguments,
  hintsOf,
  objectCostOf,
  readsMore,
  type Condition,
  type OperationPlan,
  type PlannedField,
  type Selection,
} from './operation-plan.ts';
import { QueryDocument } from './query-document.ts';
import { VariableReader } from './variable-reader.ts';

/*
 * Makes the plans of operations. With `query-document.ts`, which runs before validation, this is the only place that
 * visits selection sets.
 */

const plans = new WeakMap<OperationDefinitionNode, OperationPlan>();

export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationPlan {
  let plan = plans.get(operation);
  if (plan === undefined) {
    plan = new Planner(schema, QueryDocument.of(document), operation).plan();
    plans.set(operation, plan);
  }
  return plan;
}

export type FieldInfo = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'operation' | 'parentType' | 'schema' | 'variableValues'
>;

export function planFor({ schema, fragments, operation }: FieldInfo): OperationPlan {
  return (
    plans.get(operation) ??
    planOf(
      schema,
      { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] },
      operation,
    )
  );
}

/** By `fieldNodes`, of which an executor creates one array for each field and type, and graphql-jit only one at all. */
const fieldsByNodes = new WeakMap<readonly FieldNode[], readonly PlannedField[]>();

export function fieldsOf(info: FieldInfo): readonly PlannedField[] {
  let found = fieldsByNodes.get(info.fieldNodes);
  if (found?.[0]?.parentType.name !== info.parentType.name) {
    const { fields } = planFor(info);
    found = info.fieldNodes.map((node) => fieldOf(node, info.parentType.name, fields));
    fieldsByNodes.set(info.fieldNodes, found);
  }
  return found;
}

function fieldOf(node: FieldNode, typeName: string, fields: OperationPlan['fields']): PlannedField {
  const found = fields.get(node)?.find(({ parentType }) => parentType.name === typeName);
  if (found !== undefined) return found;
  throw new Error(`The plan of the operation has no field ${typeName}.${node.name.value}.`);
}

class Planner {
  readonly #schema: GraphQLSchema;
  readonly #document: QueryDocument;
  readonly #operation: OperationDefinitionNode;
  readonly #variables: VariableReader;
  readonly #selections = new Map<SelectionSetNode, Selection[]>();
  readonly #fields = new Map<FieldNode, PlannedField[]>();
  readonly #conditions = new Map<SelectionNode, Condition>();
  readonly #incremental = new Set<SelectionNode>();

  constructor(schema: GraphQLSchema, document: QueryDocument, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#document = document;
    this.#operation = operation;
    this.#variables = new VariableReader(operation.variableDefinitions ?? []);
  }

  plan(): OperationPlan {
    const type = this.#schema.getRootType(this.#operation.operation);
    const size = this.#document.sizes.get(this.#operation);
    if (type == null || size === undefined) throw new Error('The operation was not validated.');
    const root = this.#select(this.#operation.selectionSet, type, null);
    return {
      schema: this.#schema,
      document: this.#document,
      operation: this.#operation,
      size,
      root,
      fields: this.#fields,
      nonNullUsages: this.#variables.nonNullUsages,
      incremental: this.#incremental,
    };
  }

  #select(set: SelectionSetNode, type: GraphQLObjectType, parent: FieldNode | null): Selection {
    const selections = this.#selections.get(set) ?? [];
    this.#selections.set(set, selections);
    const known = selections.find((selection) => selection.type === type);
    if (known !== undefined) return known;
    const fields = this.#fieldsIn(set, type, parent, []);
    const selection = {
      type,
      fields,
      costedFields: fields.filter(isCosted),
      isKeyOnly: fields.every(({ definition, hints }) => definition === null || hints.keyOnly),
      varies: fields.some(({ varies }) => varies),
      listCost: fields.reduce((sum, field) => sum + listCostInItem(field), 0),
    };
    selections.push(selection);
    return selection;
  }

  #fieldsIn(
    set: SelectionSetNode,
    type: GraphQLObjectType,
    parent: FieldNode | null,
    outer: readonly Condition[],
  ): PlannedField[] {
    return set.selections.flatMap((node) => {
      const conditions = node.directives?.length ? [...outer, this.#conditionOf(node)] : outer;
      if (node.kind === Kind.FIELD) return this.#field(node, type, parent, conditions);
      const fragment =
        node.kind === Kind.INLINE_FRAGMENT ? node : this.#document.fragments.get(node.name.value);
      return fragment !== undefined && this.#appliesTo(fragment, type)
        ? this.#fieldsIn(fragment.selectionSet, type, parent, conditions)
        : [];
    });
  }

  #field(
    node: FieldNode,
    parentType: GraphQLObjectType,
    parent: FieldNode | null,
    conditions: readonly Condition[],
  ): PlannedField {
    const definition = this.#definitionOf(node.name.value, parentType);
    const hints = definition === null ? {} : hintsOf(definition);
    const { selectionSet } = node;
    const types =
      definition === null || selectionSet === undefined ? [] : this.#typesOf(definition);
    const below = types.map((type) => this.#select(selectionSet!, type, node));
    const { hasVariables, nonNullUsages } = this.#variables.read(node, definition?.args ?? []);
    const field = {
      node,
      parentType,
      parent,
      definition,
      hints,
      conditions,
      below,
      varies:
        conditions.some(({ varies }) => varies) ||
        (hasVariables && typeof hints.requires === 'function') ||
        (hints.requiresUnder !== undefined && below.some(({ varies }) => varies)),
      upstreamCalls: hints.upstreamCalls === true && below.some(readsMore) ? 1 : 0,
      nonNullUsages,
    };
    const fields = this.#fields.get(node) ?? [];
    this.#fields.set(node, fields);
    fields.push(field);
    return field;
  }

  #definitionOf(name: string, type: GraphQLObjectType): GraphQLField<unknown, unknown> | null {
    const definition = type.getFields()[name];
    if (definition !== undefined || name === '__typename') return definition ?? null;
    return name === SchemaMetaFieldDef.name ? SchemaMetaFieldDef : TypeMetaFieldDef;
  }

  #typesOf(field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
    const type = getNamedType(field.type);
    if (isObjectType(type)) return [type];
    return isAbstractType(type) ? this.#schema.getPossibleTypes(type) : [];
  }

  #appliesTo(
    { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
    type: GraphQLObjectType,
  ): boolean {
    const condition = typeCondition?.name.value;
    if (condition === undefined || condition === type.name) return true;
    const named = this.#schema.getType(condition);
    return isAbstractType(named) && this.#schema.isSubType(named, type);
  }

  #conditionOf(node: SelectionNode): Condition {
    let condition = this.#conditions.get(node);
    if (condition === undefined) {
      const read = node.directives!.map((directive) =>
        this.#variables.read(
          directive,
          this.#schema.getDirective(directive.name.value)?.args ?? [],
        ),
      );
      condition = {
        node,
        varies: read.some(({ hasVariables }) => hasVariables),
        nonNullUsages: read.flatMap(({ nonNullUsages }) => nonNullUsages),
      };
      this.#conditions.set(node, condition);
      const names = node.directives!.map(({ name }) => name.value);
      if (names.includes('defer') || names.includes('stream')) this.#incremental.add(node);
    }
    return condition;
  }
}

function isCosted({ hints, below, upstreamCalls }: PlannedField): boolean {
  return (
    checksArguments(hints) ||
    hints.hasSideEffect === true ||
    upstreamCalls > 0 ||
    below.some(({ costedFields }) => costedFields.length > 0)
  );
}

function listCostInItem(field: PlannedField): number {
  const { node, definition, hints, below } = field;
  const own = (hints.listCost ?? 1) + argumentCost(node);
  const isNestedList = definition !== null && isListType(getNullableType(definition.type));
  return isNestedList || below.length === 0 ? own : own + objectCostOf(below);
}

/** graphql-js reads the arguments of a field anew for each item. Eight values take as long as a plain field. */
function argumentCost({ arguments: args = [] }: FieldNode): number {
  return Math.floor(args.reduce((sum, { value }) => sum + valueCount(value), 0) / 8);
}

function valueCount(value: ValueNode): number {
  if (value.kind === Kind.LIST) {
    return value.values.reduce((sum, item) => sum + valueCount(item), 1);
  }
  if (value.kind !== Kind.OBJECT) return 1;
  return value.fields.reduce((sum, field) => sum + valueCount(field.value), 1);
}
