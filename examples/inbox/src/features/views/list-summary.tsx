import { useEffect, useRef, type ComponentProps } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Pager } from './pager.tsx';
import { pageSize } from './use-document-list.ts';

interface ListSummaryProps extends ComponentProps<typeof Pager> {
  readonly label: string;
}

export function ListSummary({ label, page, list }: ListSummaryProps) {
  const t = useText();
  const format = useFormat();
  const { documents, isLoading } = list;
  const { nodes = [], totalCount = null } = documents ?? {};
  const offset = (page - 1) * pageSize;
  const range = { from: format.count(offset + 1), to: format.count(offset + nodes.length) };
  const total = totalCount === null ? null : format.count(totalCount);
  const summarize = (): string => {
    if (nodes.length === 0) return t('No documents');
    if (total === null) return t('{from} to {to}', range);
    return t('{from} to {to} of {total} documents', { ...range, total });
  };
  const shorten = (): string => {
    if (nodes.length === 0 || total === null) return summarize();
    return t('{from}–{to} of {total}', { ...range, total });
  };
  const summary = documents ? summarize() : '';
  useListAnnouncement(documents ? `${label}: ${summary}` : null, isLoading);
  return (
    <div className="list-summary">
      <p className="muted">
        <span className="list-summary-long">{summary}</span>
        <span className="list-summary-short" aria-hidden="true">
          {documents && shorten()}
        </span>
      </p>
      <Pager page={page} list={list} />
    </div>
  );
}

function useListAnnouncement(text: string | null, isLoading: boolean): void {
  const announce = useAnnounce();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (text === null || isLoading || announced.current === text) return;
    announced.current = text;
    announce(text);
  }, [announce, isLoading, text]);
}
