import { graphql, useFragment, type FragmentType } from '../gql/index.ts';
import { useText } from '../language/text.ts';

const authorNameFragment = graphql(`
  fragment AuthorName on Actor {
    id
    __typename
    systemId
    ... on Person {
      fullName
    }
  }
`);

interface AuthorNameProps {
  readonly author: FragmentType<typeof authorNameFragment> | null | undefined;
}

export function useAuthorName(author: AuthorNameProps['author']): string {
  const t = useText();
  const actor = useFragment(authorNameFragment, author);
  if (actor?.__typename === 'Person') return actor.fullName || t('Unknown');
  return t(actor ? 'Service account' : 'Unknown');
}

export function AuthorName({ author }: AuthorNameProps) {
  const name = useAuthorName(author);
  const actor = useFragment(authorNameFragment, author);
  if (!actor) return <span className="muted">{name}</span>;
  return (
    <span className="person" title={actor.systemId}>
      <span className="avatar" aria-hidden="true">
        {actor.__typename === 'Person' ? initialsOf(name) : '⚙'}
      </span>
      <span className="clip">{name}</span>
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''];
  return letters.map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x20)).join('');
}
