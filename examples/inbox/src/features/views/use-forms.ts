import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/index.ts';

const formsQuery = graphql(`
  query Forms {
    forms {
      id
      fullId
      title
    }
  }
`);

/** A form that documents can have. */
export interface FormOption {
  readonly fullId: string;
  readonly title: string;
}

/** Returns the forms. Empty while they are loaded, and for users that are not allowed to read them. */
export function useForms(): readonly FormOption[] {
  const { data } = useQuery(formsQuery);
  return (data?.forms ?? []).map(({ fullId, title }) => ({ fullId, title: title ?? fullId }));
}
