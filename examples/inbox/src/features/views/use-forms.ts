import { useQuery } from '@apollo/client/react';
import { useStore } from '../../../../ui/store.ts';
import { currentLanguage, textIn } from '../../language/language.ts';
import { graphql } from '../../gql/index.ts';

const formsQuery = graphql(`
  query Forms {
    forms {
      id
      fullId
      titles {
        language
        text
      }
    }
  }
`);

/** Returns the forms. Empty while they are loaded, and for users that are not allowed to read them. */
export function useForms() {
  const language = useStore(currentLanguage);
  const { data, loading } = useQuery(formsQuery);
  const forms = (data?.forms ?? []).map(({ fullId, titles }) => ({
    fullId,
    title: textIn(titles, language) ?? fullId,
  }));
  return { forms, isLoading: loading && !data };
}
