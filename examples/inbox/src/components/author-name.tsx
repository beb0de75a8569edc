import { graphql, useFragment, type FragmentType } from '../gql/index.ts';
import { useText } from '../language/text.ts';

const authorNameFragment = graphql(`
  fragment AuthorName on Actor {
    __typename
    systemId
    ... on Person {
      id
      fullName
    }
  }
`);

interface AuthorNameProps {
  readonly author: FragmentType<typeof authorNameFragment> | null | undefined;
}

/** The name of a person, or the ID of a service account. */
export function AuthorName({ author }: AuthorNameProps) {
  const t = useText();
  const actor = useFragment(authorNameFragment, author);
  if (!actor) return <span className="muted">{t('Unknown')}</span>;
  const name = actor.__typename === 'Person' ? actor.fullName : null;
  return <span title={actor.systemId}>{name || actor.systemId}</span>;
}
