import { createFrontEndHandler, type FrontEndHandler } from './http/front-end.ts';
import type { FrontEnd } from './options.ts';

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
