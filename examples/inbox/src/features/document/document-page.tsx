import { useQuery } from '@apollo/client/react';
import { useState, type ReactNode } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { Page } from '../../app/page.tsx';
import { DueDate } from '../../components/due-date.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { useLastData } from '../../components/use-last-data.ts';
import { useNavigationState } from '../../components/navigation-notice.tsx';
import { interruptionOf } from '../../client/failure.ts';
import { Loading } from '../../components/loading.tsx';
import { NavigationNotice } from '../../components/navigation-notice.tsx';
import { WorkflowBadge } from '../../components/workflow-badge.tsx';
import { documentTitle, isShortId } from '../../domain/document.ts';
import { graphql, isFragmentReady } from '../../gql/index.ts';
import type { DocumentPageQuery } from '../../gql/graphql.ts';
import { useDocumentActions } from '../actions/document-actions.tsx';
import { useKeys } from '../keyboard/keyboard.ts';
import { updateTexts, useDocumentUpdates } from '../live/use-document-updates.ts';
import { BackLink, ListOfLink, useNeighbours } from '../views/last-view.tsx';
import { DocumentFiles, type ShownFile } from './document-files.tsx';
import { DocumentHistory } from './document-history.tsx';
import { DocumentRecognition } from './document-recognition.tsx';
import { DocumentReferences, documentReferencesFragment } from './document-references.tsx';
import { DocumentSkeleton } from './document-skeleton.tsx';
import { DocumentSummary } from './document-summary.tsx';
import { DocumentValues } from './document-values.tsx';
import { RecognizedText, recognizedTextFragment } from './recognized-text.tsx';
import { useText } from '../../language/text.ts';
import './document-page.css';

/** What costs further calls of the DMS is deferred, so that the page does not wait for it. */
const documentPageQuery = graphql(`
  query DocumentPage($id: ID!) {
    document(id: $id) {
      id
      shortId
      fullId
      state
      status
      dateDue
      meta {
        revision
      }
      extra(names: ["topic"])
      ...DocumentSummary
      ...DocumentHistory
      ...DocumentValues
      ...DocumentFiles
      ...DocumentRecognition
      ...DocumentActions
      ...DocumentReferences @defer(label: "references")
      ...RecognizedText @defer(label: "text")
    }
  }
`);

export function DocumentPage() {
  const { id = '' } = useParams();
  return (
    <>
      <ListOfLink />
      <DocumentDetails key={id} id={id} />
    </>
  );
}

function DocumentDetails({ id }: { readonly id: string }) {
  const t = useText();
  const { error, loading, refetch, ...query } = useQuery(documentPageQuery, {
    variables: { id },
    fetchPolicy: 'cache-and-network', // others change documents
  });
  const data = useLastData(id, { ...query, error, loading });
  const read = async (): Promise<boolean> => {
    const result = await refetch().catch(() => null); // `error` has it
    return Boolean(result?.data?.document);
  };
  const navigation = useNavigationState();
  const document = data?.document;
  const { current } = useNeighbours(id);
  const isAbsent = data?.document === null && !error && !loading;
  if (isAbsent && query.previousData === undefined && isOtherPerson(navigation)) {
    // The document of the previous person, which this one must not see.
    return <Navigate to="/app/views/inbox" replace />;
  }
  if (document) {
    return <LoadedDocument {...{ id, document, error, loading, read, navigation }} />;
  }
  return (
    // The last list knows the title.
    <Page
      title={current?.label ?? (isShortId(id) ? id : t('Document'))}
      back={<DocumentNavigation id={id} />}
    >
      {error ? (
        <ErrorNotice
          title={t('The document cannot be shown.')}
          error={error}
          onAction={() => void read()}
        />
      ) : loading ? (
        <DocumentSkeleton />
      ) : (
        <EmptyState
          icon="document"
          text={t('The document does not exist, or you are not allowed to see it.')}
        >
          <Link className="button" to="/app/views/all">
            {t('Show all documents')}
          </Link>
        </EmptyState>
      )}
    </Page>
  );
}

interface LoadedDocumentProps {
  readonly id: string;
  readonly document: DocumentPageQuery['document'] & {};
  readonly error: Error | undefined;
  readonly loading: boolean;
  readonly read: () => Promise<boolean>;
  readonly navigation: unknown;
}

function LoadedDocument(props: LoadedDocumentProps) {
  const { id, document, error, loading, read, navigation } = props;
  const t = useText();
  const [isEditing, setIsEditing] = useState(false);
  const [shown, setShown] = useState<ShownFile>({ id: null, page: 1 });
  const update = useDocumentUpdates(id, { document, isEditing, isLoading: loading, read });
  const { bar, panel, review } = useDocumentActions({
    document,
    routeId: id,
    onReload: async () => void (await read()),
    onEditingChange: setIsEditing,
    update,
  });
  const { state, status, dateDue, shortId, fullId } = document;
  const documentId = shortId ?? fullId;
  return (
    <Page
      title={documentTitle(document, t)}
      back={<DocumentNavigation id={id}>{bar}</DocumentNavigation>}
      aside={
        <span className="row">
          <WorkflowBadge state={state} status={status} />
          <DueDate date={dateDue} status={status} />
        </span>
      }
    >
      <NavigationNotice state={navigation} />
      {panel}
      {update === 'shown' && <p className="notice notice-info small">{t(updateTexts.shown)}</p>}
      {error && interruptionOf(error) === null && (
        <ErrorNotice title={t('Some of the data is missing.')} error={error} />
      )}
      <div className="document-page">
        <div className="stack document-page-content">
          <DocumentValues document={document} review={review} />
          <DocumentRecognition
            document={document}
            onShowPage={(page) => setShown({ id: 'recognized', page })}
          >
            {isFragmentReady(documentPageQuery, recognizedTextFragment, document) ? (
              <RecognizedText document={document} />
            ) : (
              loading && <Loading label={t('the recognized text')} lines={1} />
            )}
          </DocumentRecognition>
          {isFragmentReady(documentPageQuery, documentReferencesFragment, document) ? (
            <DocumentReferences document={document} />
          ) : (
            loading && <Loading label={t('referring documents')} lines={2} />
          )}
        </div>
        <div className="document-page-files">
          <DocumentFiles
            document={document}
            documentId={documentId}
            shown={shown}
            onShow={setShown}
          />
        </div>
        <div className="stack document-page-properties">
          <DocumentSummary document={document} />
          <DocumentHistory document={document} />
        </div>
      </div>
    </Page>
  );
}

interface DocumentNavigationProps {
  readonly id: string;
  readonly children?: ReactNode;
}

function DocumentNavigation({ id, children }: DocumentNavigationProps) {
  const t = useText();
  const navigate = useNavigate();
  const { previous, next } = useNeighbours(id);
  const neighbours = [
    { key: 'k', label: t('Previous document'), icon: 'previous', to: previous?.value },
    { key: 'j', label: t('Next document'), icon: 'next', to: next?.value },
  ] as const;
  useKeys({
    ...(next && { j: () => void navigate(next.value) }),
    ...(previous && { k: () => void navigate(previous.value) }),
  });
  return (
    <div className="document-navigation">
      <BackLink />
      {children}
      {(previous || next) &&
        neighbours.map(({ key, label, icon, to }) =>
          to ? (
            <Link
              key={key}
              className="button button-quiet button-icon"
              aria-label={label}
              title={`${label} (${key})`}
              to={to}
            >
              <Icon name={icon} />
            </Link>
          ) : (
            <span key={key} className="button button-quiet button-icon" aria-disabled="true">
              <Icon name={icon} />
            </span>
          ),
        )}
    </div>
  );
}

function isOtherPerson(navigation: unknown): boolean {
  return typeof navigation === 'object' && navigation !== null && 'isOtherPerson' in navigation;
}
