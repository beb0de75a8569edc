import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { readStorage, writeStorage } from '../../../../ui/storage.ts';
import { createStore, useStore } from '../../client/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { documentTitle, pathOfDocument } from '../../domain/document.ts';
import { views, type View } from '../../domain/view.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';

interface KnownDocument {
  readonly value: string;
  readonly label: string;
}

interface LastView {
  readonly view: View;
  readonly path: string;
  readonly documents: readonly KnownDocument[];
  /** Null: the account of the gateway. What is known belongs to this person. */
  readonly personId: string | null;
}

const storageKey = 'inbox.list';

const lastView = createStore<LastView | null>(storedView());

/** The list of this tab, from before the page was loaded again. */
function storedView(): LastView | null {
  try {
    return JSON.parse(readStorage('sessionStorage', storageKey) ?? 'null') as LastView | null;
  } catch {
    return null;
  }
}

const knownDocumentFragment = graphql(`
  fragment KnownDocument on Document {
    id
    shortId
    fullId
    extra(names: ["topic"])
  }
`);

export function useRememberView(
  view: View,
  nodes: readonly FragmentType<typeof knownDocumentFragment>[],
): void {
  const t = useText();
  const { personId } = useSessionState();
  const { pathname, search } = useLocation();
  const known = useFragment(knownDocumentFragment, nodes);
  const documents = known.map((document) => ({
    value: pathOfDocument(document),
    label: documentTitle(document, t),
  }));
  useEffect(() => {
    const last = { view, path: pathname + search, documents, personId };
    lastView.set(last);
    writeStorage('sessionStorage', storageKey, JSON.stringify(last));
  });
}

interface Neighbours {
  /** The document itself. Undefined if the last list does not have it. */
  readonly current: KnownDocument | undefined;
  readonly previous: KnownDocument | undefined;
  readonly next: KnownDocument | undefined;
}

export function useNeighbours(path: string): Neighbours {
  const last = useStore(lastView);
  const { personId } = useSessionState();
  const documents = last?.personId === personId ? last.documents : [];
  const index = documents.findIndex(({ value }) => value === path);
  return {
    current: documents[index],
    previous: index > 0 ? documents[index - 1] : undefined,
    next: index < 0 ? undefined : documents[index + 1],
  };
}

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
