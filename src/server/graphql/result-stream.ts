import type { ExecutionResult } from 'graphql';
import type { SerializedPart } from './serialize-result.ts';
import { noBudget, type Operation } from './operation.ts';

export function openStream(
  operation: Operation,
  parts: AsyncIterable<ExecutionResult>,
  toClient: (part: ExecutionResult) => SerializedPart,
): AsyncIterable<ExecutionResult> {
  const isSubscription = operation.operationType === 'subscription';
  const budget = isSubscription ? noBudget : operation.budget;
  const { signal } = operation.http;
  const release = (): void => {
    budget.removeEndListener(atDeadline);
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
    const reason = budget.endReason(null);
    stream.stop(reason === null ? null : () => partFrom(reason));
  };
  signal.addEventListener('abort', onDisconnect);
  budget.addEndListener(atDeadline);
  if (signal.aborted) onDisconnect(); // while the source was being opened
  return stream;
}

type Step<T> = IteratorResult<T, undefined>;

const done = { done: true, value: undefined } as const;

export interface Item<T> {
  readonly value: T;
  readonly isLast?: boolean;
}

/**
 * An asynchronous iterator that ends at once when it is stopped. An async generator would not: its `return` waits for a
 * pending `next`.
 */
export class StoppableIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #take: () => Promise<Item<T> | null>;
  readonly #onEnd: () => void;
  #isEnded = false;
  #settle: ((step: Step<T> | Promise<Step<T>>) => void) | null = null;
  #last: (() => T | Promise<T>) | null = null;

  constructor(take: () => Promise<Item<T> | null>, onEnd: () => void) {
    this.#take = take;
    this.#onEnd = onEnd;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<T>> {
    if (this.#isEnded) return this.#lastStep();
    const { promise, resolve } = Promise.withResolvers<Step<T>>();
    this.#settle = resolve;
    void this.#takeNext();
    return promise;
  }

  async #takeNext(): Promise<void> {
    try {
      const item = await this.#take();
      if (this.#isEnded) return;
      if (item !== null) this.#answer({ done: false, value: item.value });
      if (item === null || item.isLast === true) this.stop();
    } catch (error) {
      if (this.#isEnded) return;
      this.#answer(Promise.reject(error));
      this.stop();
    }
  }

  return(): Promise<Step<T>> {
    this.stop();
    return Promise.resolve(done);
  }

  stop(last: (() => T | Promise<T>) | null = null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#last = last;
    this.#onEnd();
    if (this.#settle !== null) this.#answer(this.#lastStep());
  }

  #answer(step: Step<T> | Promise<Step<T>>): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(step);
  }

  async #lastStep(): Promise<Step<T>> {
    const last = this.#last;
    this.#last = null;
    return last === null ? done : { done: false, value: await last() };
  }
}

export function closeSource(source: AsyncIterator<unknown>): void {
  (async () => source.return?.())().catch(() => {});
}

function partOf(text: string): ExecutionResult {
  return { stringify: () => text } as ExecutionResult;
}
