import type { CreateAction, CreateDocumentInput } from '../../gql/graphql.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { toValues } from './form-fields.ts';

/** What the user has entered for a new document. */
export interface Draft {
  /** Global ID of the form. Empty: not selected yet. */
  readonly formId: string;
  /** Texts by tag. Another form keeps those of the tags that it has, too. */
  readonly texts: ReadonlyMap<string, string>;
  /** Tags, separated by commas. */
  readonly tags: string;
  readonly action: CreateAction | '';
  readonly files: readonly File[];
}

export const emptyDraft: Draft = { formId: '', texts: new Map(), tags: '', action: '', files: [] };

/** Whether the draft has entries that would be lost. Choices can be made again. */
export function hasEntries({ files, tags, texts }: Draft): boolean {
  return files.length > 0 || tags !== '' || [...texts.values()].some(Boolean);
}

/** Returns the input that creates the document, with the values of those fields that are not empty. */
export function toInput(
  { texts, tags, action, files }: Draft,
  form: string,
  fields: readonly FieldDefinition[],
): CreateDocumentInput {
  return {
    form,
    values: toValues(fields, texts),
    tags: listOf(tags),
    files: [...files],
    ...(action !== '' && { action }),
  };
}

function listOf(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}
