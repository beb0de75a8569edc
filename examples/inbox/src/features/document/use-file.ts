import { useEffect, useRef, useState } from 'react';
import { fetchFile } from '../trace/trace.ts';

type FileContent =
  | { readonly kind: 'pdf' | 'image'; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other' | 'too-large' | 'empty' | 'missing' };

type FileState =
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly content: FileContent }
  | { readonly status: 'failed' };

export type FileRequest = { readonly name: string } & (
  | {
      readonly url: string;
      /** Returns a new URL if `url` has expired; null if there is no such file. */
      readonly refreshUrl: () => Promise<string | null>;
    }
  | { readonly file: File }
);

/** Types by the extension of the name, for a DMS that does not store the type of a file. */
const typesByExtension: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  csv: 'text/csv',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
};

/** Maximum size of a viewed file, in bytes. A larger one can be downloaded. */
const maxViewedBytes = 50 * 1024 * 1024;

/**
 * Loads a file for the viewer. The gateway sends files as attachments, which a frame does not show, so the content is
 * fetched and shown from an object URL. Only PDF, images and plain text are: other content, such as HTML, could run
 * scripts in the name of this application.
 */
export function useFile(file: FileRequest): FileState {
  const [state, setState] = useState<FileState>({ status: 'loading' });
  // The URL is new with each query, but the file is the same: only the first one counts.
  const request = useRef(file);
  useEffect(() => {
    const abort = new AbortController();
    let objectUrl: string | null = null;
    const load = async (): Promise<void> => {
      const content = await readFile(request.current, abort.signal);
      if (abort.signal.aborted) return;
      if ('blob' in content) {
        objectUrl = URL.createObjectURL(content.blob);
        setState({ status: 'loaded', content: { kind: content.kind, url: objectUrl } });
      } else setState({ status: 'loaded', content });
    };
    load().catch(() => {
      if (!abort.signal.aborted) setState({ status: 'failed' });
    });
    return () => {
      abort.abort();
      if (objectUrl !== null) URL.revokeObjectURL(objectUrl);
    };
  }, []);
  return state;
}

type ReadContent =
  | { readonly kind: 'pdf' | 'image'; readonly blob: Blob }
  | Exclude<FileContent, { readonly url: string }>;

/** @throws {Error} if the file cannot be fetched */
async function readFile(file: FileRequest, signal: AbortSignal): Promise<ReadContent> {
  if ('file' in file) {
    const headers = { 'content-type': file.file.type || 'application/octet-stream' };
    return contentOf(new Response(file.file.slice(), { headers }), file.name);
  }
  const { name, url, refreshUrl } = file;
  let response = await fetchFile(pathOfFile(url), { signal });
  if ([401, 403].includes(response.status)) {
    const newUrl = await refreshUrl();
    if (newUrl === null) return { kind: 'missing' };
    response = await fetchFile(pathOfFile(newUrl), { signal });
  }
  return contentOf(response, name);
}

export function pathOfFile(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

async function contentOf(response: Response, name: string): Promise<ReadContent> {
  if (response.status === 404) return { kind: 'missing' };
  if (!response.ok) throw new Error(`The download failed with status ${response.status}.`);
  const type = typeOf(response.headers.get('content-type') ?? '', name);
  const kind = kindOf(type);
  const isTooLarge = Number(response.headers.get('content-length')) > maxViewedBytes;
  if (kind === 'other' || isTooLarge) {
    await response.body?.cancel();
    return { kind: isTooLarge ? 'too-large' : 'other' };
  }
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength === 0) return { kind: 'empty' };
  if (kind === 'text') return { kind, text: new TextDecoder().decode(bytes) };
  return { kind, blob: new Blob([bytes], { type }) };
}

function typeOf(header: string, name: string): string {
  const [type = ''] = header.toLowerCase().split(';');
  if (type.trim() !== 'application/octet-stream') return type.trim();
  return typesByExtension[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? type.trim();
}

function kindOf(type: string): 'pdf' | 'image' | 'text' | 'other' {
  if (type === 'application/pdf') return 'pdf';
  if (/^image\/(?:avif|bmp|gif|jpeg|png|webp)$/.test(type)) return 'image';
  return /^(?:text\/(?:plain|csv|markdown)|application\/json)$/.test(type) ? 'text' : 'other';
}
