import { lacksColumnName, parseTable, trimTable } from '../../domain/table-text.ts';
import { isNumber } from '../../language/format.ts';
import type { Label } from '../../language/text.ts';
import type { FieldValueInput } from '../../gql/graphql.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';

/** Returns what is wrong with the entered texts, by tag. The gateway and the DMS check the rest. */
export function checkTexts(
  fields: readonly FieldDefinition[],
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, Label> {
  const issues = new Map<string, Label>();
  for (const { tag, type, isRequired } of fields) {
    const entered = texts.get(tag) ?? '';
    const text = entered.trim();
    if (text === '') {
      if (isRequired) issues.set(tag, 'Enter a value.');
    } else if (type === 'number' && !isNumber(text)) {
      issues.set(tag, 'Enter a number with a decimal point, such as 1250.00.');
    } else if (type === 'table' && lacksColumnName(parseTable(entered))) {
      issues.set(tag, 'Enter a name for each column that has cells.');
    }
  }
  return issues;
}

/** Returns the values to send: those of the fields that are not empty, in the order of the form. */
export function toValues(
  fields: readonly FieldDefinition[],
  texts: ReadonlyMap<string, string>,
): FieldValueInput[] {
  return fields.flatMap(({ tag, type }) => {
    const text = texts.get(tag) ?? '';
    if (text.trim() === '') return [];
    return [
      type === 'table' ? { tag, table: trimTable(parseTable(text)) } : { tag, text: text.trim() },
    ];
  });
}
