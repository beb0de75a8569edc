/*
 * Loaded into the gateway's process before it starts (`--import`). It answers each message with a report.
 */

/** What has happened in the process of the gateway since the report before. */
export interface Report {
  /** Whether prototypes and other shared objects are as in the first report. */
  readonly isUnchanged: boolean;
  /**
   * The longest time for which one iteration of the event loop has used the processor, in milliseconds. Time in which
   * other processes used it does not count, so a busy machine does not change it much.
   */
  readonly longestTurnMs: number;
}

let before: string | null = null;
let longestTurnMs = 0;
let lastCpuMs = cpuMs();

/** CPU time of the main thread so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// A timer that is due runs once in each iteration, so between two runs is a long iteration or a millisecond of short ones.
setInterval(() => {
  const now = cpuMs();
  longestTurnMs = Math.max(longestTurnMs, now - lastCpuMs);
  lastCpuMs = now;
}, 1).unref();

process.on('message', () => {
  const now = describeShared();
  before ??= now;
  process.send?.({ isUnchanged: now === before, longestTurnMs } satisfies Report);
  longestTurnMs = 0;
});
process.channel?.unref(); // it must not keep the process alive

/** Property names of the shared prototypes and constructors, and of their functions. */
function describeShared(): string {
  const constructors = [Object, Array, Function, String, Number, Boolean, Promise, Map, Set, Error];
  const shared = [...constructors, ...constructors.map(({ prototype }) => prototype as object)];
  return JSON.stringify(shared.map(describeObject));
}

function describeObject(object: object): unknown {
  return Object.entries(Object.getOwnPropertyDescriptors(object)).map(([name, { value }]) => [
    name,
    typeof value,
    typeof value === 'function' ? Object.getOwnPropertyNames(value) : null,
    typeof value === 'function' ? typeof (value as { call: unknown }).call : null,
  ]);
}
