import { readStorage, writeStorage } from '../../../../ui/storage.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import type { Texts } from '../fields/field-values.ts';

export interface Draft {
  /** Global ID of the form. Empty: not selected yet. */
  readonly formId: string;
  readonly texts: Texts;
  readonly locale: string;
  readonly files: readonly File[];
  /** Names of files that were chosen before the page was loaded again or left: a page cannot keep them. */
  readonly lostFiles: readonly string[];
}

const storageKey = 'inbox.draft';

export function readDraft(personId: string | null, locale: string): Draft {
  const empty: Draft = { formId: '', texts: new Map(), locale, files: [], lostFiles: [] };
  try {
    const stored = JSON.parse(readStorage('sessionStorage', storageKey) ?? '') as StoredDraft;
    if (stored.personId !== personId) return empty;
    return { ...empty, ...stored, texts: new Map(stored.texts) };
  } catch {
    return empty;
  }
}

/** Remembers a draft until the tab is closed. Null: there is none. */
export function storeDraft(personId: string | null, draft: Draft | null): void {
  const stored: StoredDraft | null = draft && {
    personId,
    formId: draft.formId,
    texts: [...draft.texts],
    locale: draft.locale,
    lostFiles: [...draft.lostFiles, ...draft.files.map(({ name }) => name)],
  };
  writeStorage('sessionStorage', storageKey, stored && JSON.stringify(stored));
}

interface StoredDraft extends Omit<Draft, 'texts' | 'files'> {
  readonly personId: string | null;
  readonly texts: readonly (readonly [tag: string, text: string])[];
}

export function hasEntries({ files, texts }: Draft): boolean {
  return files.length > 0 || [...texts.values()].some(Boolean);
}

export function enteredTexts({ texts }: Draft, fields: readonly FieldDefinition[]): Texts {
  const tags = fields.map(({ tag }) => tag);
  return new Map([...texts].filter(([tag, text]) => tags.includes(tag) && text.trim() !== ''));
}
