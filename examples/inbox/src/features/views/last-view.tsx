import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { createStore, useStore } from '../../client/store.ts';
import { Icon } from '../../components/icon.tsx';
import { views, type View } from '../../domain/view.ts';
import { useText } from '../../language/text.ts';

/** The list that was opened last, with its filter and page. */
const lastView = createStore<{ view: View; path: string } | null>(null);

/** Remembers a list for the pages of its documents. */
export function useRememberView(view: View): void {
  const { pathname, search } = useLocation();
  useEffect(() => lastView.set({ view, path: pathname + search }), [view, pathname, search]);
}

/** A link to the list that was opened last. */
export function BackLink() {
  const t = useText();
  const last = useStore(lastView);
  const view = last?.view ?? views[0]!;
  return (
    <Link className="back-link" to={last?.path ?? `/app/views/${view.slug}`}>
      <Icon name="arrowLeft" />
      {t('Back to {view}', { view: t(view.label) })}
    </Link>
  );
}
