import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { OwnContext, TeamContext } from '../../../context.ts';
import { inTime } from '../../../model/common.ts';
import { callerDigest } from '../../../rest/index.ts';
import type { Operation, OperationContext } from '../operation.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Settings } from '../../../config/read-config.ts';

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
  log: Pick<Log, 'failure'>,
  { requestTimeoutMs }: Pick<Settings, 'requestTimeoutMs'>,
): Plugin<OperationContext, OperationContext> {
  /** Settle when the operation has ended. Absent if it has not started. */
  const operations = new WeakMap<Operation, Promise<void>>();
  return {
    async onContextBuilding({ context }) {
      const { request, operation } = context;
      const { http } = operation;
      const { caller } = http;
      if (caller === null) throw new Error('The request was not identified before.');
      const { runAs } = caller;
      const onError = (error: unknown): void => log.failure(http, error);
      const creating = (async () =>
        create({ request, caller: { runAs, key: callerDigest(caller) } }))();
      // A mutation goes on after its client has disconnected, and the parts of a result are written after its execution.
      const disposeAtEnd = async (): Promise<void> => {
        // A plugin that throws before the execution leaves an operation without an end, as does one that never returns.
        const ended = http.res.writableFinished ? undefined : operations.get(operation);
        if (ended !== undefined) await inTime(ended, requestTimeoutMs, () => {});
        await disposeNow(await creating.catch(() => null));
      };
      if (http.res.closed) void disposeAtEnd().catch(onError);
      else http.res.once('close', () => void disposeAtEnd().catch(onError));
      const added = checkedContext(await creating.catch(rethrow));
      Object.assign(context, added, { teamContext: added }); // for plugins that authorize a request before `useOperation`
    },
    onExecute({ args }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      operations.set(args.contextValue.operation, promise);
      return { onExecuteDone: () => resolve() };
    },
  };
}

/** Yoga drops errors with these names, such as that of an aborted `fetch`. */
function rethrow(error: unknown): never {
  const { name, message }: Partial<Error> = Object(error);
  const isDropped = name === 'AbortError' || name === 'TimeoutError';
  throw isDropped ? new Error(message, { cause: error }) : error;
}

/** The properties of the context that are not a team's: those of the gateway, of `OperationContext` and of Yoga. */
const taken: Readonly<
  Record<keyof OwnContext | keyof OperationContext | keyof YogaInitialContext, true>
> = {
  dms: true,
  fileUrl: true,
  fileUrlOf: true,
  forms: true,
  givenParams: true,
  incremental: true,
  languages: true,
  listFields: true,
  loaders: true,
  maxListFields: true,
  operation: true,
  params: true,
  parsedArguments: true,
  readObjects: true,
  request: true,
  runAs: true,
  teamContext: true,
  waitUntil: true,
};

export function checkedContext(teamContext: unknown): TeamContext {
  if (typeof teamContext !== 'object' || teamContext === null) {
    throw new TypeError('`context` must return an object');
  }
  const own = Object.keys(teamContext).find((key) => key in taken);
  // Teams declare its properties, and TypeScript checks their function.
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
  if (own === undefined) return teamContext as TeamContext;
  throw new TypeError(
    `\`context\` returned the property \`${own}\`, which the gateway's context has`,
  );
}

const checkMs = 1000;

/**
 * Checks the properties that a team adds before the first request does, with a request that has no headers. A function
 * that needs a real request throws, which is not an error here.
 *
 * @throws {TypeError} as each request would
 */
export async function checkTeamContext(create: CreateTeamContext): Promise<void> {
  const request = new Request('http://localhost/graphql', { method: 'POST' });
  let creating: Promise<TeamContext>;
  const late = Symbol('late');
  let teamContext: TeamContext | typeof late;
  try {
    creating = Promise.resolve(create({ request, caller: { runAs: null, key: '' } }));
    teamContext = await inTime(creating, checkMs, (): typeof late => late);
  } catch {
    return;
  }
  if (teamContext === late) {
    creating.then(disposeNow).catch(() => {});
    return;
  }
  try {
    checkedContext(teamContext);
  } finally {
    await inTime(disposeNow(teamContext), checkMs, () => {});
  }
}

export function disposableOf(teamContext: unknown): AsyncDisposable | null {
  if (typeof teamContext !== 'object' || teamContext === null) return null;
  return Symbol.asyncDispose in teamContext || Symbol.dispose in teamContext
    ? (teamContext as AsyncDisposable)
    : null;
}

async function disposeNow(teamContext: unknown): Promise<void> {
  await using stack = new AsyncDisposableStack();
  stack.use(disposableOf(teamContext));
}
