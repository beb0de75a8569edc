import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../config/read-config.ts';
import type { Parts } from '../../server/feature.ts';
import { createFrontEndHandler } from '../front-end.ts';

const directory = fileURLToPath(new URL('../../../examples/playground/dist', import.meta.url));

export interface PlaygroundOptions extends Pick<Settings, 'introspection'> {
  readonly persistedOnly?: boolean;
}

/**
 * Creates the endpoints of examples/playground: the page at /graphql for browsers, and its files. It refers to them
 * relative to /graphql, so that a proxy can add a prefix.
 */
export function createPlayground({
  introspection,
  persistedOnly = false,
}: PlaygroundOptions): Parts {
  return {
    links: { 'Playground, in a browser': '/graphql' },
    endpoints({ hasEndpoint }) {
      const { sendPage, sendAsset } = createFrontEndHandler({
        directory,
        policy: [
          "style-src 'self' 'unsafe-inline'", // the editor positions its lines with style elements
          "img-src 'self' data:",
          "font-src 'self'",
          "worker-src 'self'",
        ],
        vary: 'accept, accept-encoding', // /graphql has other responses for clients that are not browsers
        // examples/playground/src/settings.ts has their type.
        settings: () => ({
          introspection,
          persistedOnly,
          hasPeople: hasEndpoint('/sandbox/people'),
          hasInbox: hasEndpoint('/app'),
        }),
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
    },
  };
}

function wantsPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept?.includes('text/html') ?? false);
}
