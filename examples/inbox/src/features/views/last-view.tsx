import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { createStore, useStore } from '../../../../ui/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { documentTitle, pathOfDocument } from '../../domain/document.ts';
import { viewOf, views, type View } from '../../domain/view.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';
import { positionFromParams, useDocumentList, type ListPosition } from './use-document-list.ts';

interface KnownDocument {
  readonly globalId: string;
  readonly id: string;
  readonly value: string;
  readonly label: string;
}

interface LastView {
  readonly view: View;
  /** Slug of the view, and query. */
  readonly list: string;
  readonly documents: readonly KnownDocument[];
  /** Global IDs of the documents that the person has answered. */
  readonly answered: ReadonlySet<string>;
  /** Null: the account of the gateway. What is known belongs to this person. */
  readonly personId: string | null;
}

const lastView = createStore<LastView | null>(null);

const knownDocumentFragment = graphql(`
  fragment KnownDocument on Document {
    id
    shortId
    fullId
    extra(names: ["topic"])
  }
`);

export function useRememberView(
  list: string,
  { view }: ListPosition,
  nodes: readonly FragmentType<typeof knownDocumentFragment>[] | undefined,
): void {
  const t = useText();
  const { personId } = useSessionState();
  const known = useFragment(knownDocumentFragment, nodes);
  const documents = known?.map((document) => ({
    globalId: document.id,
    id: document.shortId ?? document.fullId,
    value: pathOfDocument(document, list),
    label: documentTitle(document, t),
  }));
  useEffect(() => {
    if (!documents) return;
    const last = lastView.get();
    const answered = last?.personId === personId ? last.answered : new Set<string>();
    lastView.set({ view, list, documents, answered, personId });
  });
}

export function markAnswered(globalIds: readonly string[], isAnswered: boolean): void {
  const last = lastView.get();
  if (!last) return;
  const answered = new Set(last.answered);
  for (const id of globalIds) {
    if (isAnswered) answered.add(id);
    else answered.delete(id);
  }
  lastView.set({ ...last, answered });
}

/** Reads the list in the URL of a document that was opened elsewhere. */
export function ListOfLink() {
  const [params] = useSearchParams();
  const list = params.get('list') ?? '';
  const last = useStore(lastView);
  const { personId } = useSessionState();
  const [slug, query] = list.split('?');
  const view = viewOf(slug);
  if (!view || (last?.list === list && last.personId === personId)) return null;
  return <UnreadList list={list} position={positionFromParams(view, new URLSearchParams(query))} />;
}

interface UnreadListProps {
  readonly list: string;
  readonly position: ListPosition;
}

function UnreadList({ list, position }: UnreadListProps) {
  const { documents, isStale } = useDocumentList(position);
  useRememberView(list, position, isStale ? undefined : documents?.nodes);
  return null;
}

export function useLastView(): LastView | null {
  const last = useStore(lastView);
  const { personId } = useSessionState();
  return last?.personId === personId ? last : null;
}

export function useNeighbours(id: string) {
  const { documents = [], answered } = useLastView() ?? {};
  const index = documents.findIndex((document) => document.id === id);
  return {
    following: index < 0 ? [] : documents.slice(index + 1),
    isAnswered: (globalId: string): boolean => answered?.has(globalId) ?? false,
    current: documents[index],
    previous: documents[index - 1],
    next: index < 0 ? undefined : documents[index + 1],
  };
}

export function BackLink() {
  const t = useText();
  const last = useStore(lastView);
  const view = last?.view ?? views[0]!;
  return (
    <Link className="back-link" to={`/app/views/${last?.list ?? view.slug}`}>
      <Icon name="arrowLeft" />
      {t('Back to {view}', { view: t(view.label) })}
    </Link>
  );
}
