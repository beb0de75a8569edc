import type {
  QuestionAnswer,
  Asked,
  FromWorker,
  WorkerEvent,
  WorkerConfig,
  QuestionPayload,
  ToWorker,
  Topic,
} from './messages.ts';

/** How a worker answers the questions of the others. */
export type QuestionHandlers = {
  readonly [T in Topic]: (
    payload: QuestionPayload<T>,
  ) => QuestionAnswer<T> | Promise<QuestionAnswer<T>>;
};

/**
 * A worker's connection to the primary. It never fails: if the primary has ended, messages are dropped and a question
 * has no answers.
 */
export class PrimaryConnection {
  /** The configuration that the primary sends first. */
  readonly config: Promise<WorkerConfig>;
  /** Resolves when the worker must stop: on the primary's message, or when the primary has ended. */
  readonly stopWanted: Promise<void>;
  readonly #send: (message: FromWorker, sent?: () => void) => void;
  readonly #limitMs: number;
  readonly #asked = new Map<number, (answers: readonly unknown[]) => void>();
  readonly #begin = Promise.withResolvers<WorkerConfig>();
  readonly #stop = Promise.withResolvers<void>();
  #handlers: QuestionHandlers | null = null;
  #last = 0;
  #isLost = false;

  /**
   * @param send calls `sent` when the message is written or cannot be sent
   * @param limitMs maximum wait for the answers of a question, if the primary does not respond
   */
  constructor(send: (message: FromWorker, sent?: () => void) => void, limitMs: number) {
    this.#send = send;
    this.#limitMs = limitMs;
    this.config = this.#begin.promise;
    this.stopWanted = this.#stop.promise;
  }

  /** Registers with the primary and answers questions from now on. */
  join(handlers: QuestionHandlers): void {
    this.#handlers = handlers;
    this.#send({ kind: 'joined' });
  }

  /** Resolves when the event is written. Messages that a process has not written when it exits are lost. */
  sendEvent(event: WorkerEvent): Promise<void> {
    return new Promise((resolve) => this.#send(event, resolve));
  }

  /** Asks all other workers. Resolves with the answers that arrived within the time limit. */
  ask<T extends Topic>(
    topic: T,
    payload: QuestionPayload<T>,
  ): Promise<readonly QuestionAnswer<T>[]> {
    if (this.#isLost) return Promise.resolve([]);
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      const limit = setTimeout(() => this.#settle(id, []), this.#limitMs);
      this.#asked.set(id, (answers) => {
        clearTimeout(limit);
        // Each answer is the result of the `QuestionHandlers` of this topic.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        resolve(answers as readonly QuestionAnswer<T>[]);
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- topic and payload belong together
      this.#send({ kind: 'ask', id, topic, payload } as FromWorker);
    });
  }

  /** Processes a message of the primary. */
  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'begin':
        return this.#begin.resolve(message.config);
      case 'stop':
        return this.#stop.resolve();
      case 'ping':
        return this.#send({ kind: 'pong' });
      case 'asked':
        return this.#answer(message);
      case 'answers':
        return this.#settle(message.id, message.answers);
    }
  }

  /** The primary has ended: resolves pending questions without answers and stops the worker. */
  lose(): void {
    this.#isLost = true;
    for (const id of this.#asked.keys()) this.#settle(id, []);
    this.#stop.resolve();
  }

  #settle(id: number, answers: readonly unknown[]): void {
    this.#asked.get(id)?.(answers);
    this.#asked.delete(id);
  }

  /** Sends the answer of this worker. If the handler fails, no answer is sent. */
  #answer(asked: Asked): void {
    if (this.#handlers === null) return;
    const { forget, figures } = this.#handlers;
    const answer = asked.topic === 'forget' ? forget(asked.payload) : figures(asked.payload);
    const reply = (given: unknown): void =>
      this.#send({ kind: 'reply', id: asked.id, answer: given });
    Promise.resolve(answer).then(reply, () => {});
  }
}
