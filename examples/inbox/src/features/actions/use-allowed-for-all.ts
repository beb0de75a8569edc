import { skipToken } from '@apollo/client/react';
import {
  countedActions,
  phaseActionsIn,
  responseActions,
  responseActionsIn,
  runningStatus,
} from '../../domain/workflow.ts';
import type { ResponseAction } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useAwaitedIds, useMayMove, type ActionTarget } from './use-allowed-actions.ts';

export interface ResponseForAll {
  readonly key: string;
  readonly label: string;
  readonly actions: ReadonlyMap<string, ResponseAction>;
}

export type AllowedForAll = ReturnType<typeof useAllowedForAll>;

/**
 * Returns what the user can do with all of several documents.
 *
 * @param isAwaited whether each awaits the response of the user. Null: it is looked up.
 */
export function useAllowedForAll(documents: readonly ActionTarget[], isAwaited: true | null) {
  const t = useText();
  const format = useFormat();
  const awaited = useAwaitedIds(documents.length > 0 && !isAwaited ? {} : skipToken, null);
  const mayMove = useMayMove();
  const responsesOf = ({ id, state, status }: ActionTarget): readonly ResponseAction[] =>
    status === runningStatus && (isAwaited ?? awaited.has(id))
      ? // A response with changes needs the values of each document.
        responseActionsIn(state).filter((action) => action !== 'APPROVE_WITH_EDITS')
      : [];
  const all = documents.map(responsesOf);
  const unawaited = all.filter((responses) => responses.length === 0).length;
  const responseOf = (key: string, label: string, actions: readonly ResponseAction[]) => ({
    key,
    label,
    actions: new Map(documents.map(({ id }, index) => [id, actions[index]!])),
  });
  const responsesForAll = (): readonly ResponseForAll[] => {
    const usual = all.flatMap(([first]) => first ?? []);
    const kinds = [...new Set(usual)];
    const labels = kinds.map((kind) => {
      const count = usual.filter((action) => action === kind).length;
      return t(countedActions[kind], { count: format.count(count) });
    });
    const isSame = kinds.length === 1;
    return [
      responseOf('usual', isSame ? t(responseActions[kinds[0]!]) : labels.join(' · '), usual),
      ...inAll(all)
        .filter((action) => !isSame || action !== kinds[0])
        .map((action) =>
          responseOf(
            action,
            t(responseActions[action]),
            all.map(() => action),
          ),
        ),
    ];
  };
  return {
    responses: documents.length === 0 || unawaited > 0 ? [] : responsesForAll(),
    moves: inAll(documents.map((one) => (mayMove(one) ? phaseActionsIn(one.state) : []))),
    count: documents.length,
    /** Number of documents to which the user cannot respond, and that the user may not move. */
    unawaited,
    immovable: documents.filter((one) => !mayMove(one)).length,
    isLoading: awaited.isLoading,
  };
}

function inAll<T>([first = [], ...others]: readonly (readonly T[])[]): readonly T[] {
  return first.filter((one) => others.every((other) => other.includes(one)));
}
