import { useQuery } from '@apollo/client/react';
import { useStore } from '../../client/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { graphql } from '../../gql/index.ts';

const formsQuery = graphql(`
  query Forms($language: String!) {
    forms {
      id
      fullId
      title(language: $language)
    }
  }
`);

/** A form that documents can have. */
export interface FormOption {
  readonly fullId: string;
  readonly title: string;
}

/** Returns the forms. Empty while they are loaded, and for users that are not allowed to read them. */
export function useForms(): { readonly forms: readonly FormOption[]; readonly isLoading: boolean } {
  const language = useStore(currentLanguage);
  const { data, previousData, loading } = useQuery(formsQuery, { variables: { language } });
  const known = data ?? previousData;
  const forms = (known?.forms ?? []).map(({ fullId, title }) => ({
    fullId,
    title: title ?? fullId,
  }));
  return { forms, isLoading: loading && !known };
}
