import type { ExecutionResult } from 'graphql';
import { closeSource, StoppableIterator, type Item } from './stoppable-iterator.ts';
import type { SerializedPart } from './serialize-result.ts';
import type { Operation } from './operation.ts';

export function openStream(
  operation: Operation,
  parts: AsyncIterable<ExecutionResult>,
  toClient: (part: ExecutionResult) => SerializedPart,
): AsyncIterable<ExecutionResult> {
  const isSubscription = operation.operationType === 'subscription';
  const budget = isSubscription ? null : (operation.prepared?.budget ?? null);
  const { signal } = operation.http;
  const release = (): void => {
    budget?.removeEndListener(atDeadline);
    signal.removeEventListener('abort', onDisconnect);
    closeSource(source);
  };
  const source = parts[Symbol.asyncIterator]();
  const partFrom = (error: unknown): ExecutionResult => {
    const part = { errors: [error], ...(!isSubscription && { hasNext: false }) };
    return partOf(toClient(part as unknown as ExecutionResult).text);
  };
  const take = async (): Promise<Item<ExecutionResult> | null> => {
    try {
      const { done, value } = await source.next();
      if (done || stream.isEnded) return null;
      const { text, isLast } = toClient(value);
      return { value: partOf(text), isLast };
    } catch (error) {
      stream.stop(() => partFrom(error));
      return null;
    }
  };
  const stream = new StoppableIterator(take, release);
  const onDisconnect = (): void => stream.stop();
  const atDeadline = (): void => {
    const reason = budget?.endReason(null) ?? null;
    stream.stop(reason === null ? null : () => partFrom(reason));
  };
  signal.addEventListener('abort', onDisconnect);
  budget?.addEndListener(atDeadline);
  if (signal.aborted) onDisconnect(); // while the source was being opened
  return stream;
}

/** A serialized part in the form that Yoga expects. */
function partOf(text: string): ExecutionResult {
  return { stringify: () => text } as ExecutionResult;
}
