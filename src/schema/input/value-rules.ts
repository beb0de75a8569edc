import type { FieldValue, WrittenValue } from '../../model/common.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import type { DeclaredForms, Form, TypedForm } from '../../model/form.ts';
import type { FieldValueInput, InputCheck } from './input-check.ts';

/** The values of an input: plain ones, and those of the fields of one form, by the names of the form and its fields. */
export interface ValuesInput {
  readonly values?: readonly FieldValueInput[] | null | undefined;
  readonly fields?: Readonly<Record<string, Fields | null | undefined>> | null | undefined;
}

/** The values of one form or row by the names of their fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** What can be written, if the check found no issue. */
export interface CheckedValues {
  /** Plain and typed ones. */
  readonly values: readonly FieldValue[] | undefined;
  /** The form of the typed ones. */
  readonly typed: TypedForm | null;
}

/** Checked values, with the plain ones as they were given. */
export interface GivenValues extends CheckedValues {
  readonly plain: ValuesInput['values'];
}

/** Whether the values are those of a new document, or change those of an existing one. */
export type ValuesOf = 'newDocument' | 'document';

/** How the values of inputs are checked and written. */
export interface ValueRules {
  /** Validates the values of an input, apart from what `checkForm` checks. */
  checkValues(check: InputCheck, input: ValuesInput, of: ValuesOf): CheckedValues;
  /** Whether the values are checked against the form of their document, which must be read for that. */
  checksForm(input: ValuesInput): boolean;
  /** What must be read of a document before its values are changed: its form, and values that may not change. */
  storedRequirements(input: ValuesInput): readonly DocumentRequirement[];
  /** The declared form of a document. Null if it is not declared, undefined if it was not read. */
  formOf(document: Document): Form | null | undefined;
  /** Checks values against the form of their document. */
  checkForm(check: InputCheck, values: GivenValues, form: Form | null, of: ValuesOf): void;
  /** Replaces what a client has read and writes without a change by what is stored: whole values, and cells of tables. */
  keepStored(values: GivenValues, document: Document): readonly WrittenValue[] | undefined;
}

/** Declared forms with the rules of their fields. */
export interface FormsWithRules extends DeclaredForms {
  readonly valueRules: ValueRules;
}

/** Without declared forms, values are texts and tables. */
const plainRules: ValueRules = {
  checkValues: (check, { values }) => ({ values: check.values(values), typed: null }),
  checksForm: () => false,
  storedRequirements: () => [],
  formOf() {},
  checkForm() {},
  keepStored: ({ values }) => values,
};

/** The rules of declared forms, or those without any. */
export function valueRulesOf(forms: DeclaredForms | null): ValueRules {
  // Contexts and hints of fields have the forms of the schema.
  return (forms as FormsWithRules | null)?.valueRules ?? plainRules;
}
