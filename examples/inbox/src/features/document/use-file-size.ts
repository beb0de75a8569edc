import { useEffect, useState } from 'react';
import { fetchFile } from '../trace/trace.ts';
import { pathOfFile } from './use-file.ts';

/** Reads the size of a file in bytes, with a request that has no body. Null while it is read, and if it is not known. */
export function useFileSize(url: string): number | null {
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
