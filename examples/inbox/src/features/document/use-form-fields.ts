import { skipToken, useQuery } from '@apollo/client/react';
import { useStore } from '../../client/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { graphql } from '../../gql/index.ts';

const formFieldsQuery = graphql(`
  query FormFields($id: ID!, $language: String!) {
    form(id: $id) {
      id
      fullId
      customFields {
        prefix
        fieldName
        name(language: $language)
        type
      }
    }
  }
`);

/** Label and type of a form field. */
export interface FormField {
  readonly label: string;
  readonly type: string;
}

const none: ReadonlyMap<string, FormField> = new Map();

/**
 * Returns the fields of a form by their tags. Empty while they are loaded, and for users that are not allowed to read
 * forms: values are then shown with their tags.
 *
 * @param formId full ID of the form; no form for any other value
 */
export function useFormFields(formId: unknown): ReadonlyMap<string, FormField> {
  const language = useStore(currentLanguage);
  const { data, previousData } = useQuery(
    formFieldsQuery,
    typeof formId === 'string' ? { variables: { id: formId, language } } : skipToken,
  );
  // The previous labels stay until those of another language arrive.
  const form = (data ?? previousData)?.form;
  if (!form || form.fullId !== formId) return none;
  return new Map(
    (form.customFields ?? []).flatMap(({ prefix, fieldName, name, type }) => {
      if (!fieldName) return [];
      const tag = `${prefix ?? ''}${fieldName}`;
      return [[tag, { label: name ?? tag, type }] as const];
    }),
  );
}
