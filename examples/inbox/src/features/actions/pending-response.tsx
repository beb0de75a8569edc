import { useQuery } from '@apollo/client/react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { graphql } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { RespondForm, type RespondFormProps } from './respond-form.tsx';

/** The DMS creates the response when it is read, so only this form reads it. */
const pendingResponseQuery = graphql(`
  query PendingResponse($id: ID!) {
    document(id: $id) {
      id
      response {
        id
        content
      }
    }
  }
`);

interface PendingResponseProps extends Omit<RespondFormProps, 'response'> {
  /** Global ID of the document. */
  readonly documentId: string;
  /** Called if the button that reads the response again disappears while it has the focus. */
  readonly onFocusLost: () => void;
}

/** Reads the response that is expected from the user, and shows the form for it. */
export function PendingResponse({ documentId, onFocusLost, ...form }: PendingResponseProps) {
  const t = useText();
  const { data, error, loading, refetch } = useQuery(pendingResponseQuery, {
    variables: { id: documentId },
    fetchPolicy: 'network-only',
  });
  const response = data?.document?.response;
  if (response) return <RespondForm {...form} response={response} />;
  if (loading) return <Loading label={t('your response')} lines={3} />;
  return (
    <>
      {error ? (
        <ErrorNotice
          title={t('Your response cannot be read.')}
          error={error}
          onAction={() => void refetch().catch(() => {})} // `error` has it
          onFocusLost={onFocusLost}
        />
      ) : (
        <p>{t('No response is expected from you.')}</p>
      )}
      <button type="button" className="button" onClick={form.onCancel}>
        {t('Close')}
      </button>
    </>
  );
}
