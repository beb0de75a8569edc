import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { FileViewer } from './file-viewer.tsx';
import { RecognitionEntry } from './recognition-entry.tsx';
import { useText } from '../../language/text.ts';

const documentRecognitionFragment = graphql(`
  fragment DocumentRecognition on Document {
    id
    shortId
    recognizedPdfUrl
    recoData {
      id
      ...RecognitionEntry
    }
  }
`);

const recognizedPdfQuery = graphql(`
  query RecognizedPdf($id: ID!) {
    document(id: $id) {
      id
      recognizedPdfUrl
    }
  }
`);

interface DocumentRecognitionProps {
  readonly document: FragmentType<typeof documentRecognitionFragment>;
}

/** The data that was recognized in the attachments, beside the recognized PDF. */
export function DocumentRecognition(props: DocumentRecognitionProps) {
  const t = useText();
  const document = useFragment(documentRecognitionFragment, props.document);
  const { id, shortId, recognizedPdfUrl, recoData } = document;
  const client = useApolloClient();
  const [page, setPage] = useState(1);
  if (recoData.length === 0) return null;
  const refreshUrl = async (): Promise<string | null> => {
    const { data, error } = await client.query({
      query: recognizedPdfQuery,
      variables: { id },
      fetchPolicy: 'network-only',
    });
    if (error) throw error;
    return data?.document?.recognizedPdfUrl ?? null;
  };
  return (
    <section className="card stack" aria-labelledby="recognition-heading">
      <h2 id="recognition-heading">{t('Recognition')}</h2>
      <div className="recognition">
        <div className="stack">
          {recoData.map((entry) => (
            <RecognitionEntry key={entry.id} entry={entry} onShowPage={setPage} />
          ))}
        </div>
        <FileViewer
          name={t('Recognized PDF of {document}', { document: shortId ?? id })}
          url={recognizedPdfUrl}
          refreshUrl={refreshUrl}
          page={page}
        />
      </div>
    </section>
  );
}
