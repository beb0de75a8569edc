import {
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type GraphQLOutputType,
} from 'graphql';
import {
  hintsOf,
  type FieldHints,
  type OperationPlan,
  type PlannedField,
} from '../../schema/plan/operation-plan.ts';
import { variablesIn } from '../../schema/plan/variable-reader.ts';

/**
 * Whether a compiled operation has the same result as one that graphql-js executes. The compiler treats directives,
 * introspection, mutations with several fields, variables within a literal of a custom scalar and variables with the
 * name of a property of all objects differently; of extensions, types with `isTypeOf`, and fields that are lists of
 * lists or have an abstract type or a type of the gateway, whose objects the extension can have made.
 */
export function isCompilable({ operation, size, fields }: OperationPlan): boolean {
  // graphql-js stops a mutation at the first root field that fails. A compiled one would continue with the others.
  const isOrdered = operation.operation !== 'query' && size.rootFields > 1;
  // The compiled code reads a variable that was omitted without checking whether the property is its own.
  const isInherited = operation.variableDefinitions?.some(
    ({ variable }) => variable.name.value in Object.prototype,
  );
  return (
    !isOrdered &&
    !isInherited &&
    size.directives === 0 &&
    fields.values().every((planned) => planned.every(isCompilableField))
  );
}

function isCompilableField({ node, definition, hints }: PlannedField): boolean {
  if (definition === null) return true;
  if (definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef) return false;
  if (hints.isAdded && !isCompilableType(definition.type, hints)) return false;
  // The compiled parser of a custom scalar gets no variables: those within a literal would be lost.
  return (node.arguments ?? []).every(({ name, value }) => {
    const { type } = definition.args.find((one) => one.name === name.value) ?? {};
    return variablesIn(value, type).every((usage) => usage.type !== undefined);
  });
}

/**
 * Whether compiled code accepts all values of a field of an extension: no promise of a list in a list, no type that
 * recognizes its objects by a function, and no object of which it reads properties that are not guarded.
 */
function isCompilableType(type: GraphQLOutputType, hints: FieldHints): boolean {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = getNullableType(nullable.ofType);
    return !isListType(item) && isCompilableType(item, hints);
  }
  if (!isObjectType(nullable)) return !isAbstractType(nullable);
  return (
    nullable.isTypeOf == null &&
    (hints.hasOwnObjects === true ||
      Object.values(nullable.getFields()).every((field) => hintsOf(field).isAdded))
  );
}
