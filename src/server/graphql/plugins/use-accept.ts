import type { Plugin } from 'graphql-yoga';
import { acceptableFor } from '../../http/accept-header.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { HttpError } from '../../errors/http-error.ts';

/**
 * Refuses a request whose answer its client could not accept, before anything is executed. Yoga's processors of results
 * find the header as the gateway reads it: what passes here, one of them can answer.
 *
 * @throws {HttpError} 406
 */
export function useAccept(): Plugin<HttpExchange, HttpExchange> {
  return {
    onRequestParse({ request, serverContext }) {
      const { header } = acceptableFor(serverContext.req.headers.accept);
      request.headers.set('accept', header);
      if (header !== '') return;
      const message =
        'The Accept header must allow application/json or application/graphql-response+json.';
      throw new HttpError(406, 'BAD_USER_INPUT', message);
    },
  };
}
