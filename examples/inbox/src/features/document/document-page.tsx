import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { Page } from '../../app/page.tsx';
import { DueDate } from '../../components/due-date.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useLastData } from '../../components/use-last-data.ts';
import { useNavigationState } from '../../components/use-navigation-state.ts';
import { interruptionOf } from '../../client/failure.ts';
import { Loading } from '../../components/loading.tsx';
import { NavigationNotice } from '../../components/navigation-notice.tsx';
import { WorkflowBadge } from '../../components/workflow-badge.tsx';
import { documentTitle, isShortId } from '../../domain/document.ts';
import { graphql, isFragmentReady } from '../../gql/index.ts';
import { DocumentActions } from '../actions/document-actions.tsx';
import { updateTexts, useDocumentUpdates } from '../live/use-document-updates.ts';
import { BackLink } from '../views/last-view.tsx';
import { DocumentFiles } from './document-files.tsx';
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

/** The document of the URL. The key removes what was opened and loaded for another one. */
export function DocumentPage() {
  const { id = '' } = useParams();
  return <DocumentDetails key={id} id={id} />;
}

/** A document with its values, files, recognition data and references, and what the user can do with it. */
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
  const reload = async (): Promise<void> => void (await read());
  const navigation = useNavigationState();
  const document = data?.document;
  const [isEditing, setIsEditing] = useState(false);
  const update = useDocumentUpdates(id, { document, isEditing, isLoading: loading, read });
  const isAbsent = data?.document === null && !error && !loading;
  if (isAbsent && query.previousData === undefined && isOtherPerson(navigation)) {
    // The document of the previous person, which this one must not see.
    return <Navigate to="/app/views/inbox" replace />;
  }
  if (!document) {
    return (
      <Page title={isShortId(id) ? id : t('Document')} back={<BackLink />}>
        {error ? (
          <ErrorNotice
            title={t('The document cannot be shown.')}
            error={error}
            onAction={() => void reload()}
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
  const { state, status, dateDue } = document;
  return (
    <Page
      title={documentTitle(document, t)}
      back={<BackLink />}
      aside={
        <span className="row">
          <DueDate date={dateDue} status={status} />
          <WorkflowBadge state={state} status={status} />
        </span>
      }
    >
      <NavigationNotice state={navigation} />
      {update === 'shown' && <p className="notice notice-info small">{t(updateTexts.shown)}</p>}
      {error && interruptionOf(error) === null && (
        <ErrorNotice title={t('Some of the data is missing.')} error={error} />
      )}
      <div className="document-page">
        <div className="document-page-actions">
          <DocumentActions
            document={document}
            onReload={reload}
            onEditingChange={setIsEditing}
            update={update}
          />
        </div>
        <div className="stack document-page-content">
          <DocumentValues document={document} />
          <DocumentFiles document={document} />
          {isFragmentReady(documentPageQuery, documentReferencesFragment, document) ? (
            <DocumentReferences document={document} />
          ) : (
            loading && <Loading label={t('referring documents')} lines={2} />
          )}
        </div>
        <div className="stack document-page-properties">
          <DocumentSummary document={document} />
          <DocumentHistory document={document} />
        </div>
      </div>
      <DocumentRecognition document={document}>
        {isFragmentReady(documentPageQuery, recognizedTextFragment, document) ? (
          <RecognizedText document={document} />
        ) : (
          loading && <Loading label={t('the recognized text')} lines={1} />
        )}
      </DocumentRecognition>
    </Page>
  );
}

/** Whether the page was opened by another person, before the choice in the header. */
function isOtherPerson(navigation: unknown): boolean {
  return typeof navigation === 'object' && navigation !== null && 'isOtherPerson' in navigation;
}
