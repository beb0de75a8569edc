import { skipToken, useQuery } from '@apollo/client/react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { Icon } from '../../../../ui/icon.tsx';
import { isShortId, pathOfDocument } from '../../domain/document.ts';
import { useText } from '../../language/text.ts';
import { documentNameQuery } from '../fields/document-name-query.ts';
import { useKeys } from '../keyboard/keyboard.ts';
import { FilterInput } from './filter-controls.tsx';

interface DocumentSearchProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onApply: (text: string) => void;
}

export function DocumentSearch({ text, onChange, onApply }: DocumentSearchProps) {
  const t = useText();
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const id = text.trim().toUpperCase();
  const isId = isShortId(id);
  const { data, loading } = useQuery(documentNameQuery, isId ? { variables: { id } } : skipToken);
  const document = isId ? data?.document : null; // Apollo Client keeps the document of an ID before
  useKeys({ '/': () => box.current?.querySelector('input')?.focus() });
  return (
    // The keys are those of the input in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      className="document-search"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        if (document) void navigate(pathOfDocument(document));
        else onApply(text);
      }}
    >
      <Icon name="search" />
      <FilterInput
        type="search"
        label={t('Search supplier, number or amount')}
        value={text}
        onChange={onChange}
        onClear={() => onApply('')}
      />
      {isId && !loading && (
        <p role="status" className="document-search-hint popup small">
          {document
            ? t('Enter opens {document}.', { document: id })
            : t('No document that you can see has this ID.')}
        </p>
      )}
    </div>
  );
}
