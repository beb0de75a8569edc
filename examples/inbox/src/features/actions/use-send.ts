import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import type { MutationFailure } from './mutation-problem.tsx';
import type { ActionOutcome } from './send-action.ts';

const none: MutationFailure = { problem: null, error: undefined };

/** Sends an action of a form, and holds why the last attempt failed. */
export function useSend<T>(
  send: (client: ApolloClient, input: T) => Promise<ActionOutcome>,
  onEnd: (outcome: ActionOutcome) => void,
) {
  const client = useApolloClient();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState(none);
  const submit = async (input: T): Promise<void> => {
    setIsSending(true);
    setFailure(none);
    const outcome = await send(client, input);
    setIsSending(false);
    if (outcome.failure) setFailure(outcome.failure);
    onEnd(outcome);
  };
  return { submit: (input: T) => void submit(input), isSending, ...failure };
}
