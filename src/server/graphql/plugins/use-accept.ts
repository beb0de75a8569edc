import type { Plugin } from 'graphql-yoga';
import { acceptableFor } from '../../http/negotiation.ts';
import type { OperationContext } from '../operation-context.ts';
import { HttpError } from '../../errors/http-error.ts';

/**
 * Rejects a request that accepts none of the response types, before anything is executed. It rewrites the Accept header
 * so that Yoga's result processors interpret it in the same way.
 *
 * @throws {HttpError} 406
 */
export function useAccept(): Plugin<OperationContext, OperationContext> {
  return {
    onRequestParse({ request, serverContext }) {
      const { header } = acceptableFor(serverContext.http.req.headers.accept);
      request.headers.set('accept', header);
      if (header !== '') return;
      const message =
        'The Accept header must allow application/json or application/graphql-response+json.';
      throw new HttpError(406, 'BAD_USER_INPUT', message);
    },
  };
}
