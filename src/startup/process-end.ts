import { inspect } from 'node:util';
import { messageOf } from '../model/common.ts';
import type { Log, LogOutput } from '../server/telemetry/log.ts';

export const signalsToStop = ['SIGTERM', 'SIGINT'] as const;

interface StopSignals {
  readonly first: Promise<void>;
  kill: () => void;
}

/**
 * The first signal requests a graceful stop, the second ends the process. The handlers are installed before the start:
 * without them, a signal during the start would abort requests of running workers, and PID 1 of a container would
 * ignore it.
 */
export function watchStopSignals(log: Log, output: LogOutput): StopSignals {
  const first = Promise.withResolvers<void>();
  const watched: StopSignals = { first: first.promise, kill() {} };
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      watched.kill();
      output.flush();
      process.exit(1);
    }
    isStopping = true;
    log.write('info', 'stopping', { signal });
    first.resolve();
  };
  for (const signal of signalsToStop) process.on(signal, onSignal);
  return watched;
}

export async function exitWhenStopped(
  stopped: Promise<boolean>,
  log: Log,
  output: LogOutput,
): Promise<never> {
  const clean = await logStop(stopped, log);
  await output.drained();
  process.exit(clean === null ? 1 : 0);
}

export async function logStop(stopped: Promise<boolean>, log: Log): Promise<boolean | null> {
  try {
    const clean = await stopped;
    const message = clean ? 'stopped' : 'stopped, running requests were aborted';
    log.write(clean ? 'info' : 'warn', message);
    return clean;
  } catch (error) {
    log.write('error', 'stopped with an error', { cause: messageOf(error) });
    return null;
  }
}

/**
 * Exits on an uncaught exception. The state of the process is then unknown, so its supervisor restarts it. A
 * rejection that the code of a team does not handle interrupts nothing else, so it is logged.
 */
export function exitOnUncaughtException(log: Log, output: LogOutput, runsTeamCode: boolean): void {
  if (runsTeamCode) {
    process.on('unhandledRejection', (reason) => {
      const plain = { depth: 0, customInspect: false };
      const stack = reason instanceof Error ? reason.stack : inspect(reason, plain);
      log.write('error', 'unhandled rejection', { stack });
    });
  }
  process.on('uncaughtException', (error) => {
    log.write('fatal', 'uncaught exception', { stack: error.stack });
    output.flush();
    process.exit(1);
  });
}
