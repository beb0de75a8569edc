import { fileURLToPath } from 'node:url';
import { createFrontEndHandler, type FrontEndHandler } from './http/front-end.ts';
import type { FrontEnd, GatewayOptions } from './options.ts';

/**
 * Creates the handlers of the front end at /.
 *
 * Files of documents are downloaded with `fetch`, and shown from `blob:` URLs: the gateway sends them as attachments, which
 * a frame or an image of another page could not show either. A PDF viewer is a plugin of the frame, which inherits this
 * policy.
 */
export function createInbox({ directory }: FrontEnd): FrontEndHandler {
  const policy = [
    "style-src 'self'",
    "img-src 'self' blob:",
    'frame-src blob:',
    'object-src blob:',
  ];
  return createFrontEndHandler({ directory, policy });
}

/** Where the playground finds its files. It refers to them relative to /graphql, so that a proxy can add a prefix. */
export const playgroundAssetsPath = '/graphql/assets/';

const playgroundDirectory = fileURLToPath(
  new URL('../../examples/playground/dist', import.meta.url),
);

/**
 * Creates the handlers of examples/playground: the page at /graphql for browsers, and its files.
 *
 * @param hasPeople whether /sandbox/people exists
 */
export function createPlayground(
  { introspection, persistedOnly, frontEnd }: GatewayOptions,
  hasPeople: boolean,
): FrontEndHandler {
  return createFrontEndHandler({
    directory: playgroundDirectory,
    policy: [
      "style-src 'self' 'unsafe-inline'", // the editor positions its lines with style elements
      "img-src 'self' data:",
      "font-src 'self'",
      "worker-src 'self'",
    ],
    vary: 'accept, accept-encoding', // /graphql has other responses for clients that are not browsers
    // examples/playground/src/settings.ts has their type.
    settings: { introspection, persistedOnly, hasPeople, hasInbox: frontEnd != null },
  });
}
