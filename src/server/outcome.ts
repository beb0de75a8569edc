import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { toClientError } from './errors.ts';
import type { ServerContext } from './execution.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

const mostLogged = 10;

/**
 * The last door: every error becomes what a client may see, its cause goes to the log once, and the upstream
 * calls are shown where they were asked for.
 */
export function useOutcome(log: Log): Plugin<object, ServerContext> {
  return {
    onResultProcess(payload) {
      const { result, serverContext } = payload;
      const { exchange } = serverContext;
      if (Symbol.asyncIterator in result || Array.isArray(result)) {
        throw new TypeError('one operation gives one result');
      }
      const { errors } = result;
      const trace = exchange.operation?.trace;
      if (errors === undefined && trace === undefined) return;
      payload.setResult({
        ...result,
        ...(errors && { errors: errorsForClient(result, exchange, log) }),
        ...(trace && { extensions: { ...result.extensions, upstream: trace } }),
      });
    },
  };
}

function errorsForClient({ data, errors = [] }: ExecutionResult, exchange: Exchange, log: Log) {
  const causes = new Set<unknown>();
  const told = errors.map((one) => {
    const { error, cause } = toClientError(one, exchange.id, data !== undefined);
    if (cause !== null) causes.add(cause);
    return error;
  });
  const code = told[0]?.extensions['code'];
  if (typeof code === 'string') exchange.outcome = code;
  if (exchange.isAbandoned) return told;
  // One failed call can leave many holes, and one operation can fail in many places.
  for (const cause of [...causes].slice(0, mostLogged)) log.failure(exchange, cause);
  if (causes.size > mostLogged) log.failuresLeftOut(exchange, causes.size - mostLogged);
  return told;
}
