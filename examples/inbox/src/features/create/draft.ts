import type { CreateAction, CreateDocumentInput } from '../../gql/graphql.ts';
import { readStorage, writeStorage } from '../../client/storage.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { toValues } from './check-texts.ts';

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

const emptyDraft: Draft = { formId: '', texts: new Map(), tags: '', action: '', files: [] };

const storageKey = 'inbox.draft';

/** Returns the draft that a person had before the page was loaded again, without its files: a page cannot keep them. */
export function readDraft(personId: string | null): Draft {
  try {
    const stored = JSON.parse(readStorage('sessionStorage', storageKey) ?? '') as StoredDraft;
    if (stored.personId !== personId) return emptyDraft;
    const { formId, texts, tags, action } = stored;
    return { formId, texts: new Map(texts), tags, action, files: [] };
  } catch {
    return emptyDraft;
  }
}

/** Remembers a draft until the tab is closed. Null: there is none. */
export function storeDraft(personId: string | null, draft: Draft | null): void {
  const { formId, texts, tags, action } = draft ?? emptyDraft;
  const stored: StoredDraft = { personId, formId, texts: [...texts], tags, action };
  writeStorage('sessionStorage', storageKey, draft === null ? null : JSON.stringify(stored));
}

interface StoredDraft extends Omit<Draft, 'texts' | 'files'> {
  readonly personId: string | null;
  readonly texts: readonly (readonly [tag: string, text: string])[];
}

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
