import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import type { Plugin } from 'graphql-yoga';
import { Refusal } from './refusal.ts';

/** Any of these headers makes a browser send a CORS preflight before it lets a page send the request. */
export const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

/**
 * A page of any site can make a browser send a GET, a form or a multipart body, with whatever the browser adds to it.
 * Those need one of the headers above; JSON needs none, because a page cannot send it without a preflight.
 *
 * @throws {Refusal} 403
 */
export function useCsrf(): Plugin {
  const { onRequestParse } = useCSRFPrevention({ requestHeaders: csrfHeaders });
  return {
    onRequestParse(payload) {
      try {
        return onRequestParse?.(payload);
      } catch {
        const message = `GET and multipart requests need the header ${csrfHeaders.join(' or ')}.`;
        throw new Refusal(403, 'FORBIDDEN', message);
      }
    },
  };
}
