/**
 * @typedef {object} Result a GraphQL result, or a part of one
 * @property {unknown} [data]
 * @property {{ message: string, locations?: { line: number, column: number }[], extensions?: { code?: string } }[]}
 *   [errors]
 * @property {Record<string, unknown> & { upstream?: import('./rest-calls.js').Call[] }} [extensions]
 */

/**
 * Reads a stream of the protocol GraphQL over SSE: the parts of a result with `@defer` or `@stream`, or the events of a
 * subscription. `return` ends the stream at once; it does not wait for the next result.
 *
 * @param {Response} response
 * @param {AbortController} controller aborts the request
 * @param {(result: Result) => Result} convert
 * @param {(text: string) => void} onMessage called if the connection is lost
 * @returns {AsyncIterableIterator<Result>}
 */
export function resultsOf(response, controller, convert, onMessage) {
  const results = readEvents(response, controller.signal, convert, onMessage);
  return {
    next: () => results.next(),
    return() {
      controller.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * @param {Response} response
 * @param {AbortSignal} signal
 * @param {(result: Result) => Result} convert
 * @param {(text: string) => void} onMessage
 */
async function* readEvents(response, signal, convert, onMessage) {
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        if (event.startsWith('event: complete')) return;
        const [, json] = /^event: next\ndata: (.*)$/s.exec(event) ?? [];
        if (json !== undefined) yield convert(JSON.parse(json)); // the others are heartbeats
      }
    }
  } catch {
    if (!signal.aborted)
      onMessage('The connection to the gateway was lost. Run the operation again.');
  }
}
