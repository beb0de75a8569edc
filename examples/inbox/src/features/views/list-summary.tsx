import { useEffect, useRef } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Pager } from './pager.tsx';
import { pageSize, type DocumentListState } from './use-document-list.ts';

interface ListSummaryProps {
  /** Name of the view. */
  readonly label: string;
  /** Number of the page, from 1. */
  readonly page: number;
  readonly list: DocumentListState;
}

/** Which documents of a view the page has, and the links to its other pages. Its place is kept while it is loaded. */
export function ListSummary({ label, page, list }: ListSummaryProps) {
  const t = useText();
  const format = useFormat();
  const { documents, isLoading } = list;
  const { nodes = [], totalCount = null, pageInfo } = documents ?? {};
  const summarize = (): string => {
    if (nodes.length === 0) return t('No documents');
    const offset = (page - 1) * pageSize;
    const range = { from: format.count(offset + 1), to: format.count(offset + nodes.length) };
    if (totalCount === null) return t('{from} to {to}', range);
    return t('{from} to {to} of {total} documents', { ...range, total: format.count(totalCount) });
  };
  const summary = documents ? summarize() : '';
  useListAnnouncement(documents ? `${label}: ${summary}` : null, isLoading);
  return (
    <div className="list-summary">
      <p className="muted">{summary}</p>
      {documents && (
        <Pager
          page={page}
          pageCount={totalCount === null ? null : Math.ceil(totalCount / pageSize)}
          hasNextPage={pageInfo?.hasNextPage === true}
        />
      )}
    </div>
  );
}

/** Announces a list once it is loaded. A list that is read again after a live change has often the same text. */
function useListAnnouncement(text: string | null, isLoading: boolean): void {
  const announce = useAnnounce();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (text === null || isLoading || announced.current === text) return;
    announced.current = text;
    announce(text);
  }, [announce, isLoading, text]);
}
