/** Timers and random numbers of the polls. Tests replace them. */
export interface LiveClock {
  /** Calls `run` after `ms` milliseconds. @returns a function that cancels the call */
  readonly schedule: (run: () => void, ms: number) => () => void;
  /** 0 to 1, exclusive. */
  readonly random: () => number;
}

/** The timers and random numbers of Node. */
export const systemClock: LiveClock = {
  schedule(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};
