import type { DocumentWrite } from '../rest/client/document-write.ts';
import type { ReferenceResource } from '../rest/client/reference-cache.ts';
import type { MetricsSnapshot } from '../server/telemetry/metrics.ts';

/*
 * The messages between the primary and the workers. A question goes to all other workers. The primary relays it and
 * collects the answers, because workers are not connected to each other.
 */

/** The data that a write affects. */
export interface WrittenResources {
  readonly resources: readonly ReferenceResource[];
  /** The written document, or null. It is polled at once if the same user has subscribed to it. */
  readonly document: DocumentWrite | null;
}

/** The questions that a worker can ask all others: the payload, and the answer of each. */
interface Questions {
  /** A write may have changed these resources. The answer confirms that they were invalidated. */
  readonly forget: { readonly payload: WrittenResources; readonly answer: void };
  /** Requests the current metrics. */
  readonly figures: { readonly payload: null; readonly answer: MetricsSnapshot };
}

/** The subject of a question. */
export type Topic = keyof Questions;
/** What the asking worker sends with a question. */
export type QuestionPayload<T extends Topic> = Questions[T]['payload'];
/** What each other worker answers. */
export type QuestionAnswer<T extends Topic> = Questions[T]['answer'];

/**
 * The configuration of a worker beyond the environment. It is sent as a message, because other users can read the
 * environment of a process.
 */
export interface WorkerConfig {
  /** Counted from 1. A replacement has the number of the worker that ended. */
  readonly worker: number;
  readonly port: number;
  /**
   * Address and credential of the embedded sandbox, which runs in the primary, and the secret of the tokens for its
   * people. Null with any other DMS.
   */
  readonly sandbox: {
    readonly url: string;
    readonly authorization: string;
    readonly tokenSecret: string;
  } | null;
  readonly fileUrlSecret: string;
}

/** A question in transit. `id` is the sender's number and is returned with the answer. */
type Question<Kind extends string> = {
  [T in Topic]: {
    readonly kind: Kind;
    readonly id: number;
    readonly topic: T;
    readonly payload: QuestionPayload<T>;
  };
}[Topic];

/** A question from a worker to the primary, for all other workers. */
export type Ask = Question<'ask'>;
/** The same question from the primary to one of the other workers. */
export type Asked = Question<'asked'>;

/** The answer of one worker to `asked`. */
export interface Reply {
  readonly kind: 'reply';
  readonly id: number;
  readonly answer: unknown;
}

/** The answers that arrived within the time limit, in no particular order. */
export interface Answers {
  readonly kind: 'answers';
  readonly id: number;
  readonly answers: readonly unknown[];
}

/** A message from the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly config: WorkerConfig }
  | { readonly kind: 'stop' }
  /** Checks that the event loop of the worker runs. */
  | { readonly kind: 'ping' }
  | Asked
  | Answers;

/** A change in the lifetime of a worker. */
export type WorkerEvent =
  | { readonly kind: 'listening'; readonly url: string }
  /** The worker failed to start, and exits. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The worker stopped, and exits. `clean` is true if no request was aborted. */
  | { readonly kind: 'stopped'; readonly clean: boolean };

/** A message from a worker to the primary. */
export type FromWorker =
  /** From now on the worker answers questions. Before that it has nothing cached. */
  { readonly kind: 'joined' } | { readonly kind: 'pong' } | WorkerEvent | Ask | Reply;
