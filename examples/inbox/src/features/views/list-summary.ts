import { useEffect, useRef } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { pageSize } from './use-document-list.ts';

interface Page {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Number of its documents. */
  readonly count: number;
  /** Number of documents of all pages. Null if the DMS does not report it. */
  readonly totalCount: number | null;
}

/** Returns a function that says which documents of a list a page has. */
export function useListSummary(): (page: Page) => string {
  const t = useText();
  const format = useFormat();
  return ({ page, count, totalCount }) => {
    if (count === 0) return t('No documents');
    const offset = (page - 1) * pageSize;
    const range = { from: format.count(offset + 1), to: format.count(offset + count) };
    if (totalCount === null) return t('{from} to {to}', range);
    return t('{from} to {to} of {total} documents', { ...range, total: format.count(totalCount) });
  };
}

/** Announces a list once it is loaded. A list that is read again after a live change has often the same text. */
export function useListAnnouncement(text: string | null, isLoading: boolean): void {
  const announce = useAnnounce();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (text === null || isLoading || announced.current === text) return;
    announced.current = text;
    announce(text);
  }, [announce, isLoading, text]);
}
