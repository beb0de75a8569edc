import { ApolloLink, HttpLink } from '@apollo/client';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';

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

/** Maximum size of what browsers send after the page has ended, in bytes, with room for the headers. */
const maxKeptBytes = 60_000;

const fetchToTheEnd: typeof fetch = (url, init) => {
  const { body } = init ?? {};
  const keepalive =
    typeof body === 'string' && body.length * 3 < maxKeptBytes && /"query":"mutation/.test(body);
  return fetch(url, { ...init, keepalive });
};

export function uploadContext(signal: AbortSignal, onProgress: OnProgress) {
  return { isUpload: true, fetchOptions: { signal, onProgress } };
}
