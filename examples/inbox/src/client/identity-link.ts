import { ApolloLink } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { from, mergeMap, of } from 'rxjs';
import { currentLanguage } from '../language/language.ts';
import type { Session } from '../../../ui/session.ts';
import { codesOf } from './failure.ts';

export function createIdentityLink(session: Session, personId: string | null): ApolloLink {
  return new SetContextLink(async ({ headers }) => {
    const authorization = await session.authorization(personId);
    return {
      headers: {
        ...headers,
        'accept-language': currentLanguage.get(),
        ...(authorization !== null && { authorization }),
      },
    };
  });
}

/**
 * Renews the tokens if the gateway rejects them, and sends a query or a subscription again, once. A mutation is not
 * repeated: the user decides.
 */
export function createRenewalLink(session: Session, personId: string | null): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (personId === null) return forward(operation);
    const isMutation = operation.operationType === 'mutation';
    return forward(operation).pipe(
      mergeMap((result) => {
        if (!codesOf(result).includes('UNAUTHENTICATED')) return of(result);
        const renewal = session.renew().catch(() => false);
        return from(renewal).pipe(
          mergeMap((isRenewed) => (isRenewed && !isMutation ? forward(operation) : of(result))),
        );
      }),
    );
  });
}
