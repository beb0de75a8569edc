import { ApolloLink, HttpLink } from '@apollo/client';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';

/**
 * Creates the link to the gateway that serves this page. Operations with `uploadContext` are sent as the GraphQL
 * multipart request specification describes.
 */
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

/** Sends a request like `fetch`. A mutation is sent completely, also if the page ends meanwhile. */
const fetchToTheEnd: typeof fetch = (url, init) => {
  const { body } = init ?? {};
  const keepalive =
    typeof body === 'string' && body.length * 3 < maxKeptBytes && /"query":"mutation/.test(body);
  return fetch(url, { ...init, keepalive });
};

/** Returns the context of an operation that has files among its variables. Aborting `signal` ends the request. */
export function uploadContext(signal: AbortSignal, onProgress: OnProgress) {
  return { isUpload: true, fetchOptions: { signal, onProgress } };
}
