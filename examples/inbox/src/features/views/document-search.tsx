import { skipToken, useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Combobox, matchOptions } from '../../components/combobox.tsx';
import { documentTitle, isShortId, pathOfDocument } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { documentNameQuery } from '../fields/document-name-query.ts';
import { useKeys } from '../keyboard/keyboard.ts';
import { formValuesFragment } from './document-row.tsx';

const searchedFragment = graphql(`
  fragment SearchedDocument on Document {
    id
    shortId
    fullId
    extra(names: ["topic"])
    ...DeclaredRow
  }
`);

interface DocumentSearchProps {
  /** What is loaded. */
  readonly documents: readonly FragmentType<typeof searchedFragment>[];
}

/** Opens a document: one of the list by its title, its organization or ID, or any other by its whole ID. */
export function DocumentSearch({ documents }: DocumentSearchProps) {
  const t = useText();
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const id = text.trim().toUpperCase();
  const { data, loading } = useQuery(
    documentNameQuery,
    isShortId(id) ? { variables: { id } } : skipToken,
  );
  useKeys({ '/': () => box.current?.querySelector('input')?.focus() });
  const loaded = useFragment(searchedFragment, documents);
  const values = useFragment(formValuesFragment, loaded);
  const options = loaded.map((document, index) => {
    const { invoice, contract, purchase, letter } = values[index]!;
    const { partner } = invoice ?? contract ?? purchase ?? letter ?? {};
    const label = documentTitle(document, t);
    const isNamed = partner?.name && !label.includes(partner.name);
    const detail = [document.shortId, isNamed && partner.name].filter(Boolean).join(' · ');
    return { value: pathOfDocument(document), label, detail };
  });
  const found = data?.document;
  const matches = text.trim() === '' ? [] : matchOptions(options, text);
  const isLoaded = found && matches.some(({ value }) => value === pathOfDocument(found));
  return (
    <div ref={box} className="document-search">
      <Combobox
        attributes={{
          type: 'search',
          'aria-label': t('Search this page, or enter an ID'),
          placeholder: t('Title, organization or ID'),
        }}
        text={text}
        onType={setText}
        options={
          found && !isLoaded
            ? [
                ...matches,
                {
                  value: pathOfDocument(found),
                  label: documentTitle(found, t),
                  detail: found.shortId,
                },
              ]
            : matches
        }
        onSelect={({ value }) => {
          setText('');
          void navigate(value);
        }}
        emptyText={t(
          !isShortId(id)
            ? 'Nothing on this page matches. A whole ID finds any document.'
            : loading
              ? 'Loading…'
              : 'No document that you can see has this ID.',
        )}
      />
    </div>
  );
}
