import { skipToken, useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Combobox } from '../../components/combobox.tsx';
import { documentTitle, isShortId, pathOfDocument } from '../../domain/document.ts';
import { useText } from '../../language/text.ts';
import { documentNameQuery } from '../fields/document-name-query.ts';
import { useKeys } from '../keyboard/keyboard.ts';

/** Opens a document by its short ID. */
export function DocumentSearch() {
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
  const found = data?.document;
  const options = found
    ? [{ value: pathOfDocument(found), label: documentTitle(found, t), detail: found.shortId }]
    : [];
  const open = (path: string): void => {
    setText('');
    void navigate(path);
  };
  return (
    <div ref={box} className="document-search">
      <Combobox
        attributes={{
          type: 'search',
          'aria-label': t('Search by ID, such as DOC-0042'),
          placeholder: t('ID, such as DOC-0042'),
        }}
        text={text}
        onType={setText}
        options={options}
        onSelect={({ value }) => open(value)}
        emptyText={t(
          !isShortId(id)
            ? 'Enter the whole ID.'
            : loading
              ? 'Loading…'
              : 'No document that you can see has this ID.',
        )}
        onEnter={() => found && open(pathOfDocument(found))}
      />
    </div>
  );
}
