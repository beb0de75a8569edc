import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { createStore, useStore } from '../../client/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { documentTitle, pathOfDocument } from '../../domain/document.ts';
import { views, type View } from '../../domain/view.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';

/** A document of a list. */
interface KnownDocument {
  /** Path of its page. */
  readonly value: string;
  readonly label: string;
}

interface LastView {
  readonly view: View;
  readonly path: string;
  readonly documents: readonly KnownDocument[];
  /** What is known belongs to the person of this client. */
  readonly client: ApolloClient;
}

/** The list that was opened last, with its filter and page. */
const lastView = createStore<LastView | null>(null);

const knownDocumentFragment = graphql(`
  fragment KnownDocument on Document {
    id
    shortId
    fullId
    extra(names: ["topic"])
  }
`);

/** Remembers a list for the pages of its documents. */
export function useRememberView(
  view: View,
  nodes: readonly FragmentType<typeof knownDocumentFragment>[],
): void {
  const t = useText();
  const client = useApolloClient();
  const { pathname, search } = useLocation();
  const known = useFragment(knownDocumentFragment, nodes);
  const documents = known.map((document) => ({
    value: pathOfDocument(document),
    label: documentTitle(document, t),
  }));
  useEffect(() => lastView.set({ view, path: pathname + search, documents, client }));
}

interface Neighbours {
  /** The document itself. Undefined if the last list does not have it. */
  readonly current: KnownDocument | undefined;
  readonly previous: KnownDocument | undefined;
  readonly next: KnownDocument | undefined;
}

/** Returns a document with those before and after it in the list that was opened last. */
export function useNeighbours(path: string): Neighbours {
  const last = useStore(lastView);
  const client = useApolloClient();
  const documents = last?.client === client ? last.documents : [];
  const index = documents.findIndex(({ value }) => value === path);
  return {
    current: documents[index],
    previous: index > 0 ? documents[index - 1] : undefined,
    next: index < 0 ? undefined : documents[index + 1],
  };
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
