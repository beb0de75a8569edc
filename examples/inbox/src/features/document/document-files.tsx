import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { visibleFileName } from '../../domain/file-name.ts';
import { FileViewer } from './file-viewer.tsx';
import { useText } from '../../language/text.ts';

const documentFilesFragment = graphql(`
  fragment DocumentFiles on Document {
    id
    files {
      id
      name
      url
    }
  }
`);

const fileUrlsQuery = graphql(`
  query FileUrls($id: ID!) {
    document(id: $id) {
      id
      files {
        id
        name
        url
      }
    }
  }
`);

interface DocumentFilesProps {
  readonly document: FragmentType<typeof documentFilesFragment>;
}

/** The attachments, to view on the page and to download. */
export function DocumentFiles(props: DocumentFilesProps) {
  const t = useText();
  const { id, files } = useFragment(documentFilesFragment, props.document);
  const client = useApolloClient();
  const [viewedId, setViewedId] = useState<string | null>(null);
  /** The URLs expire: this returns a new one, or null if the file no longer exists. */
  const refreshUrl = async (fileId: string): Promise<string | null> => {
    const { data, error } = await client.query({
      query: fileUrlsQuery,
      variables: { id },
      fetchPolicy: 'network-only',
    });
    if (error) throw error;
    return data?.document?.files.find((file) => file.id === fileId)?.url ?? null;
  };
  const download = async (file: { id: string; name: string; url: string }): Promise<void> => {
    const link = document.createElement('a');
    link.href = (await refreshUrl(file.id).catch(() => null)) ?? file.url;
    link.download = file.name;
    link.click();
  };
  return (
    <section className="card stack-small" aria-labelledby="files-heading">
      <h2 id="files-heading">{t('Files')}</h2>
      {files.length === 0 && <p className="muted">{t('The document has no files.')}</p>}
      <ul className="file-list">
        {files.map((file) => (
          <li key={file.id} className="stack-small">
            <div className="row">
              <span className="file-name">{visibleFileName(file.name)}</span>
              <span className="row">
                <button
                  type="button"
                  className="button"
                  aria-expanded={viewedId === file.id}
                  aria-label={t('View {name}', { name: file.name })}
                  onClick={() => setViewedId(viewedId === file.id ? null : file.id)}
                >
                  {t(viewedId === file.id ? 'Close' : 'View')}
                </button>
                <button
                  type="button"
                  className="button"
                  aria-label={t('Download {name}', { name: file.name })}
                  onClick={() => void download(file)}
                >
                  {t('Download')}
                </button>
              </span>
            </div>
            {viewedId === file.id && (
              <FileViewer name={file.name} url={file.url} refreshUrl={() => refreshUrl(file.id)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
