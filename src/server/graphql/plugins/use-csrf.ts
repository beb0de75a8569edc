import type { Plugin } from 'graphql-yoga';
import { csrfHeaders } from '../../http/request-headers.ts';
import { HttpError } from '../../errors/http-error.ts';
import { useCSRFPrevention } from '../yoga-packages.ts';

/**
 * A page of any site can make a browser send a GET, a form or a multipart body, with whatever the browser adds to it.
 * Those need one of `csrfHeaders`; JSON needs none, because a page cannot send it without a preflight.
 *
 * @throws {HttpError} 403
 */
export function useCsrf(): Plugin {
  const { onRequestParse } = useCSRFPrevention({ requestHeaders: csrfHeaders });
  return {
    onRequestParse(payload) {
      try {
        return onRequestParse?.(payload);
      } catch {
        const message = `GET and multipart requests require the header ${csrfHeaders.join(' or ')}.`;
        throw new HttpError(403, 'FORBIDDEN', message);
      }
    },
  };
}
