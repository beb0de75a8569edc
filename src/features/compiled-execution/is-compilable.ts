import { SchemaMetaFieldDef, TypeMetaFieldDef } from 'graphql';
import type { OperationPlan, PlannedField } from '../../schema/plan/operation-plan.ts';
import { variablesIn } from '../../schema/plan/variable-reader.ts';

/** Whether an operation is the gateway's own, and the compiler does not treat it differently than graphql-js. */
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
  if (hints.isTeamField === true) return false;
  // The compiled parser of a custom scalar gets no variables: those within a literal would be lost.
  return (node.arguments ?? []).every(({ name, value }) => {
    const { type } = definition.args.find((one) => one.name === name.value) ?? {};
    return variablesIn(value, type).every((usage) => usage.type !== undefined);
  });
}
