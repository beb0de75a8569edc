import type { InputFieldRef } from '@pothos/core';
import type { DeclaredForms, TypedField, TypedForm } from '../../model/form.ts';
import type { Types } from '../../schema/builder.ts';
import type { ExtensionBuilder } from '../../schema/extend.ts';
import { isIdType, valueFormats } from './value-formats.ts';
import { InputFieldBuilder } from '../../schema/libraries.ts';
import { described, fieldsOf } from './output.ts';

type Builder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
type Field = InputFieldRef<Types, unknown>;

const inputsByType = {
  DocumentFieldsInput: ['CreateDocumentInput'],
  DocumentFieldsUpdateInput: ['RespondToDocumentInput'],
} as const;

export function addFormInputs({ typed }: DeclaredForms, builder: ExtensionBuilder): void {
  if (typed.length === 0) return;
  for (const { fields } of typed) addRowInputs(fields, builder);
  addFields('DocumentFieldsInput', typed, builder, {
    suffix: 'Input',
    isRequired: (field) => field.isRequired,
    description: 'Values of a new document of one form. Null fields are not sent.',
  });
  addFields('DocumentFieldsUpdateInput', typed, builder, {
    suffix: 'UpdateInput',
    isRequired: () => false,
    description: 'New values of a document of one form. Null empties a field; omitted fields stay.',
  });
}

interface Kind {
  readonly suffix: string;
  readonly isRequired: (field: TypedField) => boolean;
  readonly description: string;
}

function addFields(
  name: keyof typeof inputsByType,
  typed: readonly TypedForm[],
  builder: ExtensionBuilder,
  { suffix, isRequired, description }: Kind,
): void {
  for (const { form, typeName, fields } of typed) {
    builder.inputType(`${typeName}${suffix}`, {
      description: `Values of the form ${described(form.shortId ?? form.fullId, form.titles)}`,
      fields: (t) => fieldsOf(fields, (field) => inputField(t, field, isRequired(field))),
    });
  }
  builder.inputType(name, {
    description: `${description} Set one form, that of the document.`,
    isOneOf: true,
    fields: (t) =>
      Object.fromEntries(
        typed.map(({ form, name: formName, typeName }) => [
          formName,
          t.field({
            type: `${typeName}${suffix}` as never,
            description: described(form.shortId ?? form.fullId, form.titles),
          }),
        ]),
      ),
  });
  for (const input of inputsByType[name]) {
    const t = new InputFieldBuilder<Types, 'InputObject'>(builder as never, 'InputObject');
    builder.configStore.addInputFields(input as never, () => ({
      fields: t.field({
        type: name as never,
        description: `${description} In addition to \`values\`, without a tag that is there.`,
      }),
    }));
  }
}

function addRowInputs(fields: readonly TypedField[], builder: ExtensionBuilder): void {
  for (const { tag, labels, rowType, columns } of fields) {
    if (rowType === null) continue;
    builder.inputType(`${rowType}Input`, {
      description: `A row of the table ${described(tag, labels)} Omitted columns are empty. A new document needs the required ones.`,
      // A row that was read can have empty cells, and must be a valid input.
      fields: (t) => fieldsOf(columns, (column) => inputField(t, column, false)),
    });
  }
}

function inputField(t: Builder, field: TypedField, required: boolean): Field {
  const { tag, type, isList, labels, rowType } = field;
  const name = isIdType(type)
    ? 'ID'
    : type === 'Table'
      ? rowType === null
        ? 'TableInput'
        : `${rowType}Input`
      : type;
  const what = type === 'Table' ? '' : ` The value is ${valueFormats[type].what}.`;
  return t.field({
    // Pothos knows no names of types that are not in the code.
    type: (isList || rowType !== null ? [name] : name) as 'String',
    required,
    description: described(tag, labels) + (type === 'String' ? '' : what),
  });
}
