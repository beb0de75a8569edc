import type { FormattedExecutionResult } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';

type Result = FormattedExecutionResult & {
  readonly stringify?: (result: FormattedExecutionResult) => string;
};

const boundary = 'graphql';
const defaultHeartbeatMs = 12_000; // the interval of Yoga's server-sent events

export function multipartResponse(
  given: object,
  { ReadableStream, Response }: FetchAPI,
  heartbeatMs = defaultHeartbeatMs,
): Response {
  const results = given as AsyncIterable<Result> | Result;
  const iterator = Symbol.asyncIterator in results ? results[Symbol.asyncIterator]() : one(results);
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      write(`\r\n--${boundary}`);
      heartbeat = setInterval(() => {
        // A client that does not read needs no heartbeat, and none is queued for it.
        if ((controller.desiredSize ?? 0) > 0) write(part('{}'));
      }, heartbeatMs);
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (!done) {
        const payload = value.stringify?.(value) ?? JSON.stringify(value);
        controller.enqueue(encoder.encode(part(`{"payload":${payload}}`)));
        return;
      }
      clearInterval(heartbeat);
      controller.enqueue(encoder.encode('--\r\n'));
      controller.close();
    },
    async cancel() {
      clearInterval(heartbeat);
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: { 'content-type': `multipart/mixed;boundary="${boundary}";subscriptionSpec="1.0"` },
  });
}

function part(json: string): string {
  return `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--${boundary}`;
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}
