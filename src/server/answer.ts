import type { FormattedExecutionResult } from 'graphql';
import { RestError } from '../rest/errors.ts';
import { fitJson } from '../schema/json-length.ts';
import { tell } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

/**
 * The text of an answer. One that is longer than MAX_RESPONSE_BYTES, or nested so deeply that it cannot be written,
 * is replaced by an error before it is written: a walk that counts takes a fraction of the time of writing, and none of
 * the memory.
 */
export function writeAnswer(
  answer: FormattedExecutionResult,
  exchange: Exchange,
  log: Log,
  maxBytes: number,
): string {
  const fit = fitJson(answer, maxBytes);
  if (fit === 'tooDeep') return writeInstead(tooDeep(exchange, log), exchange);
  if (fit === 'fits') {
    const text = JSON.stringify(answer);
    // The walk counts characters, which UTF-8 and the escapes of JSON make longer.
    if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  }
  const message = `The answer is too large; MAX_RESPONSE_BYTES allows ${maxBytes} bytes. Ask for smaller pages or fewer fields.`;
  return writeInstead({ code: 'BAD_USER_INPUT', message }, exchange);
}

interface Instead {
  readonly code: string;
  readonly message: string;
}

/** What a mutation did stays done, whether its payload can be shown or not. */
function writeInstead({ code, message }: Instead, exchange: Exchange): string {
  const done =
    exchange.operationType === 'mutation'
      ? ' The mutation was executed before that: do not send it again.'
      : '';
  exchange.outcome = code;
  const extensions = { code, retryable: false, requestId: exchange.id };
  const answer: FormattedExecutionResult = {
    errors: [{ message: message + done, extensions }],
    data: null,
  };
  return JSON.stringify(answer);
}

function tooDeep(exchange: Exchange, log: Log): Instead {
  const cause = new RestError('UPSTREAM_ERROR', 'the answer', {
    expected: 'JSON of the DMS that is nested less deeply',
  });
  log.failure(exchange, cause);
  const { code, message } = tell(cause, exchange.id);
  return { code, message };
}
