import { useApolloClient } from '@apollo/client/react';
import { Link } from 'react-router';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';
import { sendLater } from './delayed-actions.ts';
import { removeLateResult, reportLateResult } from './late-result.tsx';
import { MutationReason, type MutationFailure } from './mutation-problem.tsx';

interface LaterOptions {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly onSettled: (failure: MutationFailure | null) => void;
}

export function useSendLater({ id, name, path, onSettled }: LaterOptions) {
  const t = useText();
  const { cache } = useApolloClient();
  const { personId } = useSessionState();
  const report = (failure: MutationFailure): void => {
    const message = t(
      failure.problem
        ? '{document}: the action failed.'
        : '{document}: the action failed, or its outcome is unknown.',
      { document: name },
    );
    const failed = (
      <>
        <p>
          <MutationReason {...failure} />
        </p>
        <Link to={path}>{t('Show the document')}</Link>
      </>
    );
    reportLateResult({ personId, message, failed, documentId: id });
  };
  return (
    label: string,
    leaving: readonly string[],
    entered: unknown,
    send: () => Promise<MutationFailure | null>,
  ): void =>
    sendLater({
      message: `${label}: ${name}`,
      path,
      leaving,
      entered,
      cache,
      send: async () => {
        const failure = await send();
        onSettled(failure);
        if (failure === null) removeLateResult(id);
        else report(failure);
        return failure === null ? [] : [id];
      },
    });
}
