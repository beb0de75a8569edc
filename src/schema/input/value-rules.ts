import type { FieldValue, WrittenValue } from '../../model/common.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import type { DeclaredForms, Form, TypedForm } from '../../model/form.ts';
import type { FieldValueInput, InputCheck } from './input-check.ts';

export interface ValuesInput {
  readonly values?: readonly FieldValueInput[] | null | undefined;
  readonly fields?: Readonly<Record<string, Fields | null | undefined>> | null | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface CheckedValues {
  readonly values: readonly FieldValue[] | undefined;
  readonly typed: TypedForm | null;
}

export interface GivenValues extends CheckedValues {
  readonly plain: ValuesInput['values'];
}

export type ValuesOf = 'newDocument' | 'document';

export interface ValueRules {
  checkValues(check: InputCheck, input: ValuesInput, of: ValuesOf): CheckedValues;
  checksForm(input: ValuesInput): boolean;
  storedRequirements(input: ValuesInput): readonly DocumentRequirement[];
  formOf(document: Document): Form | null | undefined;
  checkForm(check: InputCheck, values: GivenValues, form: Form | null, of: ValuesOf): void;
  keepStored(values: GivenValues, document: Document): readonly WrittenValue[] | undefined;
}

export interface FormsWithRules extends DeclaredForms {
  readonly valueRules: ValueRules;
}

const plainRules: ValueRules = {
  checkValues: (check, { values }) => ({ values: check.values(values), typed: null }),
  checksForm: () => false,
  storedRequirements: () => [],
  formOf() {},
  checkForm() {},
  keepStored: ({ values }) => values,
};

export function valueRulesOf(forms: DeclaredForms | null): ValueRules {
  // Contexts and hints of fields have the forms of the schema.
  return (forms as FormsWithRules | null)?.valueRules ?? plainRules;
}
