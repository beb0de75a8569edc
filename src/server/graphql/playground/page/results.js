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
 * @returns {AsyncIterableIterator<Result>}
 */
export function resultsOf(response, controller, convert) {
  const results = readEvents(response, controller.signal, convert);
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
 */
async function* readEvents(response, signal, convert) {
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
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
