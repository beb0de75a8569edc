import { fileURLToPath } from 'node:url';
import { isLoopback } from '../../model/identity.ts';
import { HttpError } from '../../server/errors/http-error.ts';
import type { Parts } from '../../server/feature.ts';
import type { Endpoint, Endpoints } from '../../server/http/endpoint-table.ts';
import { createFrontEndHandler } from '../front-end.ts';
import type { HttpExchange } from '../../server/http/http-exchange.ts';
import { requireSameOrigin } from '../../server/http/request-checks.ts';
import { sendJson } from '../../server/http/respond.ts';
import { createSandboxSignIn, type SandboxSignInOptions } from './sign-in.ts';

const directory = fileURLToPath(new URL('../../../examples/inbox/dist', import.meta.url));

interface SandboxInboxOptions {
  readonly sandboxSignIn: 'local' | 'any';
}

export function createSandboxInbox(
  options: SandboxInboxOptions,
  sandbox: SandboxSignInOptions | null,
): Parts {
  const inbox = createInbox();
  const links = { 'Inbox, an example of a front end': '/' };
  if (sandbox === null) return { links, endpoints: () => inbox };
  const signIn = createSandboxSignIn(sandbox);
  const people: Endpoint = {
    methods: ['GET', 'HEAD', 'OPTIONS'],
    async answer(exchange) {
      requireSameOrigin(exchange);
      checkSignIn(exchange, options);
      sendJson(exchange, 200, await signIn.people());
    },
  };
  return {
    links,
    provides: { verifyToken: signIn.tokens },
    endpoints: () => ({ ...inbox, '/sandbox/people': people }),
  };
}

/**
 * Files of documents are downloaded with `fetch`, and shown from `blob:` URLs: the gateway sends them as attachments,
 * which a frame or an image of another page could not show either. A PDF viewer is a plugin of the frame, which
 * inherits this policy.
 */
function createInbox(): Endpoints {
  const policy = [
    "style-src 'self'",
    "img-src 'self' blob:",
    'frame-src blob:',
    'object-src blob:',
  ];
  const { sendPage, sendAsset } = createFrontEndHandler({ directory, policy });
  const page: Endpoint = { answer: sendPage };
  return { '/': page, '/app': page, '/app/*': page, '/assets/*': { answer: sendAsset } };
}

/**
 * Rejects clients that cannot get tokens of the sandbox's people, unless any can: those whose connection or host name
 * is not local. A proxy on this machine usually passes on the host name that its clients use.
 */
function checkSignIn({ req }: HttpExchange, { sandboxSignIn }: SandboxInboxOptions): void {
  const name = req.headers.host?.replace(/:\d*$/, '') ?? 'localhost';
  const isLocal = isLoopback(req.socket.remoteAddress ?? '') && isLoopback(name);
  if (isLocal || sandboxSignIn === 'any') return;
  const message =
    'The people of the sandbox can sign in from its own machine only. SANDBOX_SIGN_IN=any lets every client.';
  throw new HttpError(404, 'NOT_FOUND', message);
}
