import type { Plugin } from 'graphql-yoga';
import { csrfHeaders } from '../../http/cors.ts';
import { forbidden } from '../../errors/http-error.ts';
import { useCSRFPrevention } from '../yoga-packages.ts';

/**
 * Rejects requests that a page of another site can cause: a browser sends GET, form and multipart requests across
 * sites, with credentials that it adds itself. They require one of `csrfHeaders`. JSON requests do not, because they
 * need a preflight.
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
        throw forbidden(message);
      }
    },
  };
}
