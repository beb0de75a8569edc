import { CancelToken } from '../transport/cancellation.ts';
import { utf8BytesOf } from '../transport/charset.ts';
import { FairSemaphore } from '../limits/semaphore.ts';
import { maxSmallBytes, parseInParts, parseJsonText } from '../transport/parse-in-parts.ts';
import { RestError } from '../rest-error.ts';
import type { BufferedResponse } from '../transport/send.ts';

/** Maximum number of larger bodies that are received or parsed at the same time. One caller can have half of them. */
const maxLargeBodies = 4;

/**
 * Limits the memory and the time that large responses take, however many arrive: a few are received at the same time,
 * and one is parsed at a time. Others wait unread, until the time limit of their call.
 */
export class LargeBodies {
  readonly #semaphore: FairSemaphore;
  #lastParsed: Promise<unknown> = Promise.resolve();

  /** @param fairShare whether one caller can have only half of the places */
  constructor(fairShare: boolean) {
    this.#semaphore = new FairSemaphore({
      capacity: maxLargeBodies,
      share: fairShare ? 1 : Infinity,
      maxWaiting: Infinity,
      maxWaitMs: 2 ** 31 - 1, // each call has a time limit
      onWaiting: () => {},
    });
  }

  /** Requests a place for a body of a caller. */
  request(caller: string): BodyPlace {
    const semaphore = this.#semaphore;
    const wait = new CancelToken();
    const acquired = semaphore.acquire(caller, wait);
    if (!(acquired instanceof Promise)) {
      return { ready: undefined, release: () => semaphore.release(caller) };
    }
    let isHeld = false;
    let isReleased = false;
    const hold = async (): Promise<void> => {
      await acquired;
      isHeld = true;
      if (isReleased) semaphore.release(caller);
    };
    const release = (): void => {
      isReleased = true;
      if (isHeld) semaphore.release(caller);
      else wait.cancel(new RestError('CANCELLED', null));
    };
    return { ready: hold(), release };
  }

  /**
   * Parses a JSON body. Returns a promise if the body is large.
   * @param cancelToken ends the parsing of a large body
   * @throws {RestError} `UPSTREAM_ERROR` if it is not JSON, or not in its character set
   */
  parseJson(request: string, response: BufferedResponse, cancelToken?: CancelToken): unknown {
    const { headers, body } = response;
    if (body.length > maxSmallBytes) return this.parseInParts(request, response, cancelToken);
    try {
      return parseJsonText(utf8BytesOf(headers, body).toString());
    } catch (cause) {
      throw notJson(request, response, cause);
    }
  }

  /** Parses a body of any size, which must not have more than 1000 levels of nesting. @throws as `parseJson` */
  async parseInParts(
    request: string,
    response: BufferedResponse,
    cancelToken?: CancelToken,
  ): Promise<unknown> {
    const { headers, body } = response;
    const parsed = this.#lastParsed.then(() =>
      parseInParts(utf8BytesOf(headers, body), () => cancelToken?.throwIfCancelled()),
    );
    this.#lastParsed = parsed.catch(() => {});
    try {
      return await parsed;
    } catch (cause) {
      throw cause instanceof RestError ? cause : notJson(request, response, cause);
    }
  }
}

function notJson(
  request: string,
  { status, headers, body }: BufferedResponse,
  cause: unknown,
): RestError {
  const type = headers['content-type'] ?? 'no content type';
  const encoding = headers['content-encoding'];
  const got = `${body.length} bytes of ${type}${encoding === undefined ? '' : ` with content-encoding ${encoding}`}`;
  if (cause instanceof RangeError) {
    const expected =
      'JSON with shorter texts, fewer values, members of an object and levels of nesting';
    return new RestError('UPSTREAM_ERROR', request, { expected, got, cause });
  }
  return new RestError('UPSTREAM_ERROR', request, { status, expected: 'JSON', got, cause });
}

/** The place of one large body, from its reception until it is parsed. */
export interface BodyPlace {
  /** Undefined if the place is free. Until it resolves, the body must not be read on. Rejects when it is released. */
  readonly ready: Promise<void> | undefined;
  /** Frees the place, or stops waiting for it. Called once. */
  release(): void;
}
