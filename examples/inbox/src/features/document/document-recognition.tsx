import { useApolloClient } from '@apollo/client/react';
import { useState, type ReactNode } from 'react';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { useFieldOf } from '../forms/form-fields.ts';
import { useRelatedObjects } from '../forms/related-objects.ts';
import { FileViewer } from './file-viewer.tsx';
import { RecognitionEntry } from './recognition-entry.tsx';

const documentRecognitionFragment = graphql(`
  fragment DocumentRecognition on Document {
    id
    shortId
    recognizedPdfUrl
    values {
      tag
      ...ComparedValue
    }
    recoData {
      id
      ...RecognitionEntry
    }
    ...DeclaredForm
    ...DeclaredReferences
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
  /** The recognized text. */
  readonly children: ReactNode;
}

/** The data that was recognized in the attachments, beside the page that it comes from, and the recognized text. */
export function DocumentRecognition({ children, ...props }: DocumentRecognitionProps) {
  const t = useText();
  const document = useFragment(documentRecognitionFragment, props.document);
  const { id, shortId, recognizedPdfUrl, values, recoData } = document;
  const fieldOf = useFieldOf(document);
  const objects = useRelatedObjects(document);
  const client = useApolloClient();
  const [page, setPage] = useState(1);
  if (recoData.length === 0) return children;
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
            <RecognitionEntry
              key={entry.id}
              entry={entry}
              fieldOf={fieldOf}
              objects={objects}
              documentValues={values}
              onShowPage={setPage}
            />
          ))}
          {children}
        </div>
        <FileViewer
          name={t('Recognized PDF of {document}', { document: shortId ?? t('Document') })}
          url={recognizedPdfUrl}
          refreshUrl={refreshUrl}
          page={page}
        />
      </div>
    </section>
  );
}
