import { useState } from 'react';
import { interruptionOf } from '../client/failure.ts';

interface QueryState<T> {
  readonly data: T | undefined;
  readonly error?: Error | undefined;
  readonly loading: boolean;
}

interface Last<T> {
  readonly key: string;
  readonly data: T | undefined;
  /** Whether the query has failed since, because the DMS or the gateway is not available. */
  readonly isKept: boolean;
}

/**
 * Returns the data of a query, and keeps the last data of the same key while the DMS or the gateway is not available and
 * while the query is sent again: what the user has opened and typed below must not disappear.
 */
export function useLastData<T>(
  key: string,
  { data, error, loading }: QueryState<T>,
): T | undefined {
  const [last, setLast] = useState<Last<T>>({ key, data: undefined, isKept: false });
  const isSame = last.key === key;
  const isInterrupted = error !== undefined && interruptionOf(error) !== null;
  const isKept = isInterrupted || (isSame && last.isKept && loading);
  const next: Last<T> =
    isKept && isSame ? { ...last, isKept } : { key, data: error ? undefined : data, isKept };
  if (next.key !== last.key || next.data !== last.data || next.isKept !== last.isKept)
    setLast(next);
  return isKept ? (next.data ?? data) : data;
}
