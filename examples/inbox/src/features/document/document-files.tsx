import { useApolloClient } from '@apollo/client/react';
import { Icon } from '../../../../ui/icon.tsx';
import { fileKindOf, visibleFileName } from '../../domain/file-name.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { addFile, fetchFile } from '../trace/trace.ts';
import { Card } from './card.tsx';
import { FileViewer } from './file-viewer.tsx';
import { pathOfFile } from './use-file.ts';
import { useEffect, useState } from 'react';

const documentFilesFragment = graphql(`
  fragment DocumentFiles on Document {
    id
    recognizedPdfUrl
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
      recognizedPdfUrl
      files {
        id
        name
        url
      }
    }
  }
`);

export interface ShownFile {
  /** ID of an attachment, or `recognized` for the PDF of the recognition. Null: the first one that can be shown. */
  readonly id: string | null;
  /** Page of a PDF, from 1. */
  readonly page: number;
}

interface DocumentFilesProps {
  readonly document: FragmentType<typeof documentFilesFragment>;
  readonly documentId: string;
  readonly shown: ShownFile;
  readonly onShow: (shown: ShownFile) => void;
}

export function DocumentFiles({ documentId, shown, onShow, ...props }: DocumentFilesProps) {
  const t = useText();
  const { id, files, recoData, recognizedPdfUrl } = useFragment(
    documentFilesFragment,
    props.document,
  );
  const client = useApolloClient();
  const recognizedName = t('Recognized PDF of {document}', { document: documentId });
  const all = [
    ...(recoData.length > 0
      ? [{ id: 'recognized', name: recognizedName, url: recognizedPdfUrl }]
      : []),
    ...files,
  ];
  const current =
    all.find((file) => file.id === shown.id) ??
    all.find((file) => file.id === 'recognized' || fileKindOf(file.name).isPreviewed) ??
    all[0];
  /** The URLs expire: this returns a new one, or null if the file no longer exists. */
  const refreshUrl = async (fileId: string): Promise<string | null> => {
    const { data, error } = await client.query({
      query: fileUrlsQuery,
      variables: { id },
      fetchPolicy: 'network-only',
    });
    if (error) throw error;
    const document = data?.document;
    return fileId === 'recognized'
      ? (document?.recognizedPdfUrl ?? null)
      : (document?.files.find((file) => file.id === fileId)?.url ?? null);
  };
  return (
    <Card id="files" title={t('Files')} fragment={documentFilesFragment}>
      {files.length === 0 && <p className="muted">{t('The document has no files.')}</p>}
      <ul className="file-list">
        {all.map((file) => (
          <li key={file.id}>
            <FileEntry
              file={file}
              isRecognized={file.id === 'recognized'}
              isShown={file === current}
              onShow={() => onShow({ id: file.id, page: 1 })}
              refreshUrl={() => refreshUrl(file.id)}
            />
          </li>
        ))}
      </ul>
      {current && (
        <FileViewer
          key={current.id}
          name={current.name}
          url={current.url}
          page={shown.page}
          refreshUrl={() => refreshUrl(current.id)}
        />
      )}
    </Card>
  );
}

interface FileEntryProps {
  readonly file: { readonly name: string; readonly url: string };
  readonly isRecognized: boolean;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly refreshUrl: () => Promise<string | null>;
}

function FileEntry({ file, isRecognized, isShown, onShow, refreshUrl }: FileEntryProps) {
  const { name, url } = file;
  const t = useText();
  const format = useFormat();
  const bytes = useFileSize(url);
  const kind = fileKindOf(name);
  const type = kind.extension === '' ? t('File') : t('{type} file', { type: kind.extension });
  const size = bytes === null ? null : format.size(bytes);
  const download = async (): Promise<void> => {
    const link = document.createElement('a');
    link.href = (await refreshUrl().catch(() => null)) ?? url;
    link.download = isRecognized ? `${name}.pdf` : name;
    link.click();
    addFile(pathOfFile(link.href))(null); // no script sees the response
  };
  return (
    <div className="file-entry">
      <button type="button" className="file-name" aria-pressed={isShown} onClick={onShow}>
        <Icon name={kind.isImage ? 'image' : 'document'} />
        <span className="clip">
          <span className="visually-hidden">{t('View')} </span>
          {isRecognized ? t('Recognized PDF') : visibleFileName(name)}
        </span>
        <span className="muted small">
          {[isRecognized ? null : type, size].filter(Boolean).join(' · ')}
        </span>
      </button>
      <button
        type="button"
        className="button button-quiet button-icon"
        aria-label={t('Download {name}', { name })}
        title={t('Download')}
        onClick={() => void download()}
      >
        <Icon name="download" />
      </button>
    </div>
  );
}

/** Reads the size of a file in bytes, with a request that has no body. Null while it is read, and if it is not known. */
function useFileSize(url: string): number | null {
  const [size, setSize] = useState<number | null>(null);
  const path = pathOfFile(url);
  const [pathname] = path.split('?');
  useEffect(() => {
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      const { ok, headers } = await fetchFile(path, { method: 'HEAD', signal: abort.signal });
      const length = headers.get('content-length');
      if (ok && length !== null) setSize(Number(length));
    };
    read().catch(() => {}); // the list is complete without it
    return () => abort.abort();
    // The URL is new with each query, but the file is the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname]);
  return size;
}
