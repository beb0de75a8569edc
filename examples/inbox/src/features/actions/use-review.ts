import { createStore, useStore } from '../../../../ui/store.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useLocale } from '../../language/format.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { fieldValueFragment } from '../fields/field-value.ts';
import {
  editableText,
  rewriteTexts,
  tagsTag,
  toFieldInputs,
  useTagsField,
  type Texts,
} from '../fields/field-values.ts';
import { useAmountFields } from '../fields/use-list-options.ts';
import { noAttempt, type FieldsAttempt } from '../fields/value-fields.tsx';
import { useFieldOf, useFormId } from '../forms/form-fields.ts';
import type { FormName } from './action-buttons.tsx';
import type { MutationFailure } from './mutation-problem.tsx';

const reviewFragment = graphql(`
  fragment Review on Document {
    id
    tags
    values {
      ...FieldValue
    }
    ...DeclaredForm
  }
`);

interface Review {
  readonly form: FormName | null;
  readonly comment: string;
  readonly texts: Texts;
  readonly locale: string;
  readonly attempt: FieldsAttempt;
  readonly failure: MutationFailure | null;
}

const reviews = createStore<ReadonlyMap<string, Review>>(new Map());

function change(key: string, review: Review | null): void {
  const next = new Map(reviews.get());
  if (review === null) next.delete(key);
  else next.set(key, review);
  reviews.set(next);
}

/**
 * Holds what a user has entered about a document until the DMS has it: an action that is taken back or fails leaves
 * everything as it was.
 */
export function useReview(personId: string | null, source: FragmentType<typeof reviewFragment>) {
  const locale = useLocale();
  const document = useFragment(reviewFragment, source);
  const values = useFragment(fieldValueFragment, document.values);
  const fieldOf = useFieldOf(document);
  const formId = useFormId(document);
  const key = JSON.stringify([personId, document.id]);
  const empty: Review = {
    form: null,
    comment: '',
    texts: new Map(),
    locale,
    attempt: noAttempt,
    failure: null,
  };
  const review = useStore(reviews).get(key) ?? empty;
  const plain: readonly FieldDefinition[] = [
    ...values.map(({ __typename, tag }) => {
      const field = fieldOf(tag);
      return {
        ...field,
        type: __typename === 'TableValue' ? 'table' : field.type,
        isRequired: false,
      };
    }),
    useTagsField(),
  ];
  const before: Texts = new Map([
    ...values.flatMap((value) => {
      const field = plain.find(({ tag }) => tag === value.tag)!;
      const text = editableText(field, value, locale);
      return text === null ? [] : [[value.tag, text] as const];
    }),
    [tagsTag, document.tags.join(', ')],
  ]);
  const entered =
    review.locale === locale
      ? review.texts
      : rewriteTexts(plain, review.texts, review.locale, locale);
  const changed: Texts = new Map([...entered].filter(([tag, text]) => text !== before.get(tag)));
  const texts: Texts = new Map([...before, ...changed]);
  const fields = useAmountFields(plain, texts, changed.size > 0);
  const set = (changes: Partial<Review> | null): void =>
    change(key, changes && { ...review, texts: changed, locale, ...changes });
  const hasEntries = review.comment !== '' || changed.size > 0;
  return {
    ...review,
    hasEntries,
    /** Whether the document must not change below what the user does. */
    isOpen: hasEntries || review.form !== null || review.failure !== null,
    fields: fields.filter(({ tag }) => before.has(tag)),
    before,
    texts,
    changed,
    set,
    setText: (tag: string, text: string) => set({ texts: new Map(changed).set(tag, text) }),
    settle: (failure: MutationFailure | null): void => {
      const current = reviews.get().get(key);
      change(key, failure && { ...(current ?? empty), failure });
    },
    toInput: () => {
      const { input, paths } = toFieldInputs(formId, fields, changed, locale);
      return { attempt: { ...noAttempt, texts, paths }, input };
    },
  };
}

export type ReviewState = ReturnType<typeof useReview>;
