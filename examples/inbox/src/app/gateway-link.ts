import { ApolloLink, HttpLink } from '@apollo/client';
import { isKept } from '../client/kept-requests.ts';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';

export function createGatewayLink(): ApolloLink {
  return ApolloLink.split(
    (operation) => operation.getContext()['isUpload'] === true,
    new UploadHttpLink({
      uri: '/graphql',
      // The gateway accepts a multipart request only with a header that a form of another site cannot set.
      headers: { 'apollo-require-preflight': 'true' },
      fetch: fetchWithProgress as typeof fetch,
    }),
    new HttpLink({ uri: '/graphql', fetch: fetchToTheEnd }),
  );
}

const fetchToTheEnd: typeof fetch = (url, init) => {
  const { body } = init ?? {};
  const keepalive = typeof body === 'string' && isKept(body) && /"query":"mutation/.test(body);
  return fetch(url, { ...init, keepalive });
};

export function uploadContext(signal: AbortSignal, onProgress: OnProgress) {
  return { isUpload: true, fetchOptions: { signal, onProgress } };
}

/** Called with the bytes that were sent and the bytes in total. Both are equal once the request was sent completely. */
type OnProgress = (sentBytes: number, totalBytes: number) => void;

interface UploadInit extends Pick<RequestInit, 'method' | 'body' | 'headers' | 'signal'> {
  readonly onProgress?: OnProgress;
}

/**
 * Sends a request like `fetch`, and reports how much of its body was sent, which `fetch` cannot.
 *
 * @throws {DOMException} AbortError if `signal` is aborted
 * @throws {TypeError} if the connection fails
 */
function fetchWithProgress(url: string, init: UploadInit): Promise<Response> {
  const { method = 'GET', body, headers, signal, onProgress } = init;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total));
    request.upload.addEventListener('load', ({ total }) => onProgress?.(total, total));
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () => reject(new TypeError('The connection failed.')));
    request.addEventListener('abort', () =>
      reject(new DOMException('The request was aborted.', 'AbortError')),
    );
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body as XMLHttpRequestBodyInit | null | undefined);
    if (signal?.aborted) request.abort();
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const { status, statusText, responseText } = request;
  return new Response(responseText, { status, statusText, headers });
}
