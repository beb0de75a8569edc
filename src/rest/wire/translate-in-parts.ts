import { setImmediate as nextIteration } from 'node:timers/promises';

/** A step of a translation takes about as long, in milliseconds. */
const maxStepMs = 10;
/** Number of members between two looks at the clock. */
const membersPerCheck = 64;

/** A part of a translation. Returns whether it is complete; otherwise it is called again. */
type Part = () => boolean;

/** A translation in steps. */
class Steps {
  /** What follows in later steps. */
  readonly parts: Part[] = [];
  #endAt = 0;

  get isOver(): boolean {
    return performance.now() >= this.#endAt;
  }

  start(): void {
    this.#endAt = performance.now() + maxStepMs;
  }
}

/** The steps of the translation that is running. Null: everything is translated at once. */
let running: Steps | null = null;

/**
 * Translates a large response, with an iteration of the event loop after each step. The lists of the value are complete
 * when the promise resolves.
 *
 * @throws what `translate` throws
 */
export async function translateInParts<T>(translate: () => T): Promise<T> {
  const steps = new Steps();
  steps.start();
  const value = run(steps, translate);
  for (let part = steps.parts.pop(); part !== undefined; part = steps.parts.pop()) {
    if (steps.isOver) {
      await nextIteration();
      steps.start();
    }
    if (!run(steps, part)) steps.parts.push(part);
  }
  return value;
}

function run<R>(steps: Steps | null, step: () => R): R {
  const before = running;
  running = steps;
  try {
    return step();
  } finally {
    running = before;
  }
}

/** Runs a part: now, or in later steps of the translation in steps. */
function runPart(part: Part): void {
  if (running === null) part();
  else if (running.isOver || !part()) running.parts.push(part);
}

/** Returns a list that `translate` makes: now, or in a later step of the translation in steps. */
export function translateLater<T>(translate: () => T[]): T[] {
  if (running === null) return translate();
  const list: T[] = [];
  runPart(() => {
    for (const member of run(null, translate)) list.push(member);
    return true;
  });
  return list;
}

/**
 * Translates the members of a list, in order. Those for which `translate` returns null are dropped, and anything but a
 * list becomes empty. In a translation in steps, the list can be completed in later ones.
 */
export function translateMembers<T>(value: unknown, translate: (member: unknown) => T | null): T[] {
  const list: T[] = [];
  if (!Array.isArray(value)) return list;
  let at = 0;
  runPart(() => {
    while (at < value.length) {
      const member = translate(value[at]);
      if (member !== null) list.push(member);
      at += 1;
      if (at % membersPerCheck === 0 && running?.isOver) return false;
    }
    return true;
  });
  return list;
}
