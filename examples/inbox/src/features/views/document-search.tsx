import { skipToken, useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Combobox, matchOptions } from '../../components/combobox.tsx';
import { documentTitle, isShortId, pathOfDocument } from '../../domain/document.ts';
import { useText } from '../../language/text.ts';
import { documentNameQuery } from '../fields/document-name-query.ts';
import { useKeys } from '../keyboard/keyboard.ts';
import type { KnownDocument } from './last-view.tsx';

interface DocumentSearchProps {
  /** What is loaded. */
  readonly documents: readonly KnownDocument[];
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
  const matches = text.trim() === '' ? [] : matchOptions(documents, text);
  const found = data?.document;
  const other =
    found && matches.every(({ value }) => value !== pathOfDocument(found))
      ? [{ value: pathOfDocument(found), label: documentTitle(found, t), detail: found.shortId }]
      : [];
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
        options={[...matches, ...other]}
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
