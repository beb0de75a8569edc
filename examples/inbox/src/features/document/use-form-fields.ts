import { skipToken, useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/index.ts';

const formFieldsQuery = graphql(`
  query FormFields($id: ID!) {
    form(id: $id) {
      id
      customFields {
        fieldName
        name
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
  const { data } = useQuery(
    formFieldsQuery,
    typeof formId === 'string' ? { variables: { id: formId } } : skipToken,
  );
  if (!data?.form) return none;
  return new Map(
    (data.form.customFields ?? []).flatMap(({ fieldName, name, type }) =>
      fieldName ? [[fieldName, { label: name ?? fieldName, type: type ?? '' }] as const] : [],
    ),
  );
}
