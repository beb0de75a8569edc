import { useState } from 'react';
import { useLocale } from '../../language/format.ts';
import { listOf } from '../create/draft.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { editableText, rewriteTexts, type Texts, type Value } from '../fields/field-values.ts';

/** Changes of the values and tags of a document that the user entered. */
export interface Edits {
  readonly texts: Texts;
  /** Tags, separated by commas. Null: not changed. */
  readonly tags: string | null;
}

/** Holds the changes of a document, in the notation of the current locale. */
export function useEdits(fields: readonly FieldDefinition[]) {
  const locale = useLocale();
  const [state, setState] = useState<{ locale: string; edits: Edits }>({
    locale,
    edits: { texts: new Map(), tags: null },
  });
  const { edits } = state;
  if (state.locale !== locale) {
    const texts = rewriteTexts(fields, edits.texts, state.locale, locale);
    setState({ locale, edits: { ...edits, texts } });
  }
  return { edits, setEdits: (next: Edits) => setState({ locale, edits: next }) };
}

/** Returns the values of a document as texts to edit. A table that cannot be edited is missing. */
export function textsOf(
  fields: readonly FieldDefinition[],
  values: readonly Value[],
  locale: string,
): Texts {
  return new Map(
    values.flatMap((value) => {
      const field = fields.find(({ tag }) => tag === value.tag);
      const text = field ? editableText(field, value, locale) : null;
      return text === null ? [] : [[value.tag, text]];
    }),
  );
}

/** Returns the texts that differ from those of the document, which are the ones to send. */
export function changedTexts(before: Texts, edits: Edits): Texts {
  return new Map([...edits.texts].filter(([tag, text]) => text !== before.get(tag)));
}

/** Returns the new tags, or null if they are not changed. */
export function changedTags(tags: readonly string[], edits: Edits): string[] | null {
  return edits.tags === null || edits.tags === tags.join(', ') ? null : listOf(edits.tags);
}
