import type { Plugin } from 'graphql-yoga';
import type { TeamContext } from '../../../context.ts';
import { callerDigest } from '../../../rest/client/write-notification.ts';
import type { OperationContext } from '../operation-context.ts';
import type { Log } from '../../telemetry/log.ts';

/** Who asks, for a team's own code. */
export interface TeamCaller {
  /** System ID or e-mail address of the user. Null for the service account itself. */
  readonly runAs: string | null;
  /** Identifies the credential and the user together, for caches. It contains no credential. */
  readonly key: string;
}

/** Creates what a team adds to the context of one request. */
export type CreateTeamContext = (input: {
  readonly request: Request;
  readonly caller: TeamCaller;
}) => TeamContext | Promise<TeamContext>;

/**
 * Adds the context of a team, once per request and after validation. If it has `Symbol.asyncDispose` or
 * `Symbol.dispose`, it is disposed when the response has closed and the operation has ended.
 */
export function useTeamContext(
  create: CreateTeamContext,
  log: Log,
): Plugin<OperationContext, OperationContext> {
  const disposals = new WeakMap<OperationContext, Disposal>();
  return {
    async onContextBuilding({ context: given }) {
      const context = given as OperationContext;
      const { caller, request, http } = context;
      if (caller === null) throw new Error('The request was not identified before.');
      const { runAs } = caller;
      const team = await create({ request, caller: { runAs, key: callerDigest(caller) } });
      context.team = checkedContext(team);
      const disposal = new Disposal(team, (error) => log.failure(http, error));
      disposals.set(context, disposal);
      if (http.res.closed) disposal.responseClosed();
      else http.res.once('close', () => disposal.responseClosed());
    },
    onExecute({ args }) {
      const disposal = disposals.get(args.contextValue);
      disposal?.operationStarted();
      return { onExecuteDone: () => disposal?.operationEnded() };
    },
  };
}

/** @throws {TypeError} */
function checkedContext(team: unknown): TeamContext {
  if (typeof team === 'object' && team !== null) return team;
  throw new TypeError('`context` must return an object');
}

/**
 * Disposes a context. A mutation goes on after its client has disconnected, and the parts of a result are written after
 * its execution.
 */
class Disposal {
  readonly #team: object;
  readonly #onError: (error: unknown) => void;
  #isRunning = false;
  #isClosed = false;

  constructor(team: object, onError: (error: unknown) => void) {
    this.#team = team;
    this.#onError = onError;
  }

  operationStarted(): void {
    this.#isRunning = true;
  }

  operationEnded(): void {
    this.#isRunning = false;
    if (this.#isClosed) this.#dispose();
  }

  responseClosed(): void {
    this.#isClosed = true;
    if (!this.#isRunning) this.#dispose();
  }

  #dispose(): void {
    const stack = new AsyncDisposableStack();
    if (Symbol.asyncDispose in this.#team || Symbol.dispose in this.#team) {
      stack.use(this.#team as AsyncDisposable);
    }
    stack.disposeAsync().catch(this.#onError);
  }
}
