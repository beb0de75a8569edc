import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { fileKindOf, visibleFileName } from '../../domain/file-name.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { FileViewer } from './file-viewer.tsx';
import { useFileInfo } from './use-file-info.ts';

const documentFilesFragment = graphql(`
  fragment DocumentFiles on Document {
    id
    files {
      id
      name
      url
    }
    recoData {
      id
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

/**
 * The attachments, to view on the page and to download. The first one is shown at once if it is an image or a PDF, unless
 * the recognition shows it.
 */
export function DocumentFiles(props: DocumentFilesProps) {
  const t = useText();
  const { id, files, recoData } = useFragment(documentFilesFragment, props.document);
  const client = useApolloClient();
  const [viewedId, setViewedId] = useState<string | null>(() => {
    const [first] = files;
    const isShown = first && recoData.length === 0 && fileKindOf(first.name).isPreviewed;
    return isShown ? first.id : null;
  });
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
  return (
    <section className="card stack-small" aria-labelledby="files-heading">
      <h2 id="files-heading">{t('Files')}</h2>
      {files.length === 0 && <p className="muted">{t('The document has no files.')}</p>}
      <ul className="file-list">
        {files.map((file) => (
          <li key={file.id} className="stack-small">
            <FileEntry
              file={file}
              isViewed={viewedId === file.id}
              onToggle={() => setViewedId(viewedId === file.id ? null : file.id)}
              refreshUrl={() => refreshUrl(file.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FileEntryProps {
  readonly file: { readonly name: string; readonly url: string };
  readonly isViewed: boolean;
  readonly onToggle: () => void;
  readonly refreshUrl: () => Promise<string | null>;
}

/** A file with its type and size. */
function FileEntry({ file, isViewed, onToggle, refreshUrl }: FileEntryProps) {
  const { name, url } = file;
  const t = useText();
  const format = useFormat();
  const info = useFileInfo(url);
  const kind = fileKindOf(name);
  const type = kind.extension === '' ? t('File') : t('{type} file', { type: kind.extension });
  const size = info?.size == null ? null : format.size(info.size);
  const download = async (): Promise<void> => {
    const link = document.createElement('a');
    link.href = (await refreshUrl().catch(() => null)) ?? url;
    link.download = name;
    link.click();
  };
  return (
    <>
      <div className="file-entry">
        <Icon name={kind.isImage ? 'image' : 'document'} />
        <span className="file-name">
          {visibleFileName(name)}
          <span className="muted small">{[type, size].filter(Boolean).join(' · ')}</span>
        </span>
        <button
          type="button"
          className="button"
          aria-expanded={isViewed}
          aria-label={t(isViewed ? 'Hide {name}' : 'View {name}', { name })}
          onClick={onToggle}
        >
          {t(isViewed ? 'Hide' : 'View')}
        </button>
        <button
          type="button"
          className="button button-icon"
          aria-label={t('Download {name}', { name })}
          title={t('Download')}
          onClick={() => void download()}
        >
          <Icon name="download" />
        </button>
      </div>
      {isViewed && <FileViewer name={name} url={url} refreshUrl={refreshUrl} />}
    </>
  );
}
