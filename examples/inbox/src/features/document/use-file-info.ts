import { useEffect, useState } from 'react';
import { fetchFile } from '../trace/trace.ts';
import { pathOfFile } from './use-file.ts';

/** What the DMS tells about a file before it is downloaded. */
interface FileInfo {
  /** In bytes. Null: it is not known. */
  readonly size: number | null;
}

/** Reads the size of a file, with a request that has no body. Null while it is read, and if that fails. */
export function useFileInfo(url: string): FileInfo | null {
  const [info, setInfo] = useState<FileInfo | null>(null);
  const path = pathOfFile(url);
  const [pathname] = path.split('?');
  useEffect(() => {
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      const { ok, headers } = await fetchFile(path, { method: 'HEAD', signal: abort.signal });
      const length = headers.get('content-length');
      if (ok) setInfo({ size: length === null ? null : Number(length) });
    };
    read().catch(() => {}); // the list is complete without it
    return () => abort.abort();
    // The URL is new with each query, but the file is the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname]);
  return info;
}
