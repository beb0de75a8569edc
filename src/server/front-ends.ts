import { fileURLToPath } from 'node:url';
import type { Endpoints } from './http/endpoint-table.ts';
import { createFrontEndHandler, type FrontEndHandler } from './http/front-end.ts';
import { wantsPage } from './http/request-checks.ts';
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

const playgroundDirectory = fileURLToPath(
  new URL('../../examples/playground/dist', import.meta.url),
);

/**
 * Creates the endpoints of examples/playground: the page at /graphql for browsers, and its files. It refers to them
 * relative to /graphql, so that a proxy can add a prefix.
 *
 * @param hasPeople whether /sandbox/people exists
 */
export function createPlayground(
  { introspection, persistedOnly, frontEnd }: GatewayOptions,
  hasPeople: boolean,
): Endpoints {
  const { sendPage, sendAsset } = createFrontEndHandler({
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
  return {
    '/graphql': {
      kind: 'graphql',
      methods: ['GET', 'OPTIONS'],
      matches: wantsPage,
      answer: sendPage,
    },
    '/graphql/assets/*': { answer: sendAsset },
  };
}
