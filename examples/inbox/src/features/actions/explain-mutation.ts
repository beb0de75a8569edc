import { CombinedGraphQLErrors } from '@apollo/client';
import { SignInError } from '../../../../ui/session.ts';
import { codesOf } from '../../client/failure.ts';
import { explain, type Explanation } from '../../components/explanation.tsx';
import type { Translate } from '../../language/text.ts';

export function explainMutation(error: Error, t: Translate): Explanation {
  if (error instanceof SignInError || codesOf(error).includes('UNAUTHENTICATED')) {
    return { text: t('Your sign-in had expired. Nothing was sent: send it again.') };
  }
  // Anything else than an answer of the gateway, such as the HTML of a proxy or half of an answer, does not say what happened.
  return CombinedGraphQLErrors.is(error) || codesOf(error).length > 0
    ? explain(error, t)
    : {
        text: t(
          'The connection was lost. Check whether the change was made before you send it again.',
        ),
      };
}

interface MutationError {
  readonly __typename: string;
  readonly message: string;
  readonly requiredRole?: string | null;
}

/** Messages of the gateway if the DMS gave no reason. The texts by type say the same. */
const withoutReason =
  /^You are not allowed to do this\.| was not found\.$|The DMS processed the request but updated nothing\.$/;

export function explainMutationError(error: MutationError, t: Translate): Explanation {
  const { message: detail, requiredRole: role } = error;
  const reason = withoutReason.test(detail) ? {} : { detail };
  switch (error.__typename) {
    case 'ConflictError':
      return {
        text: t(
          'Someone else has changed the document, and nothing was written. Check it, and try again.',
        ),
      };
    case 'ForbiddenError': {
      const required = role ? ` ${t('Required role: {role}.', { role })}` : '';
      const text = `${t('You are not allowed to do this.')}${required}`;
      return role && detail.includes(role) ? { text } : { text, ...reason };
    }
    case 'NotFoundError':
      return {
        text: t('A required object does not exist, or you are not allowed to see it.'),
        ...reason,
      };
    case 'NothingChangedError':
      return { text: t('The document service has changed nothing.'), ...reason };
    case 'ValidationError':
      return { text: t('The request was rejected.'), detail };
    default:
      return { text: t('The gateway reported an error.'), detail };
  }
}
