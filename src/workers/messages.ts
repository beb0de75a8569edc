import type { DocumentWrite } from '../rest/client/document-write.ts';
import type { ReferenceResource } from '../rest/client/reference-cache.ts';
import type { MetricsSnapshot } from '../server/telemetry/metrics.ts';

/*
 * What the primary process and the workers say to each other. One question has all workers as its audience; the
 * primary passes it on and gathers the answers, since workers have no way to each other.
 */

/** What a write affects. */
export interface WrittenResources {
  readonly resources: readonly ReferenceResource[];
  /** Of a write to a document; it is polled at once if the same user has subscribed to it. */
  readonly document: DocumentWrite | null;
}

/** What a worker can ask all others: the payload, and the answer of each of them. */
interface Questions {
  /** A write was tried. The answer confirms that what it affects was invalidated. */
  readonly forget: { readonly payload: WrittenResources; readonly answer: void };
  /** What have you counted? */
  readonly figures: { readonly payload: null; readonly answer: MetricsSnapshot };
}

export type Topic = keyof Questions;
export type QuestionPayload<T extends Topic> = Questions[T]['payload'];
export type QuestionAnswer<T extends Topic> = Questions[T]['answer'];

/** What a worker has to know before it can begin. It comes as a message, since an environment can be read by others. */
export interface WorkerConfig {
  /** From 1; a worker that replaces another has its number. */
  readonly worker: number;
  readonly port: number;
  /** How to get into the embedded sandbox, which runs in the primary; null before another DMS. */
  readonly sandbox: { readonly url: string; readonly authorization: string } | null;
  readonly fileUrlSecret: string;
}

/** A question on its way; `id` is the sender's and comes back with the answer. */
type Question<Kind extends string> = {
  [T in Topic]: {
    readonly kind: Kind;
    readonly id: number;
    readonly topic: T;
    readonly payload: QuestionPayload<T>;
  };
}[Topic];

export type Ask = Question<'ask'>;
export type Asked = Question<'asked'>;

/** What one worker answers to `asked`. */
export interface Reply {
  readonly kind: 'reply';
  readonly id: number;
  readonly answer: unknown;
}

/** What those said who answered in time. */
export interface Answers {
  readonly kind: 'answers';
  readonly id: number;
  readonly answers: readonly unknown[];
}

export type ToWorker =
  | { readonly kind: 'begin'; readonly config: WorkerConfig }
  | { readonly kind: 'stop' }
  /** Does its event loop still run? */
  | { readonly kind: 'ping' }
  | Asked
  | Answers;

/** What becomes of a worker. */
export type WorkerEvent =
  | { readonly kind: 'listening'; readonly url: string }
  /** It could not begin, and ends. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It was stopped, and ends; `clean`: no request had to be cut. */
  | { readonly kind: 'stopped'; readonly clean: boolean };

export type FromWorker =
  /** It can be asked from here on; before that it has nothing to forget. */
  { readonly kind: 'joined' } | { readonly kind: 'pong' } | WorkerEvent | Ask | Reply;
