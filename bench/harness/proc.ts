import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/** Measurements of a process and its descendants from /proc (Linux only). */
export interface Memory {
  readonly rssMiB: number;
  /** The maximum since `resetPeak`. */
  readonly peakMiB: number;
}

/** The process and its descendants. */
function tree(pid: number): number[] {
  const children = tasks(pid).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '),
  );
  return [pid, ...children.filter((each) => each !== '').flatMap((each) => tree(Number(each)))];
}

const tasks = (pid: number): string[] => readdirSync(`/proc/${pid}/task`);

/** CPU seconds of all threads of the tree so far, to the nanosecond. Ended threads are not included. */
export function cpuSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const each of tree(pid)) {
    for (const task of tasks(each)) {
      const [onCpu] = readFileSync(`/proc/${each}/task/${task}/schedstat`, 'utf8').split(' ');
      nanoseconds += Number(onCpu);
    }
  }
  return nanoseconds / 1e9;
}

/** Resident memory of the tree. The peak is the sum of the peaks of its processes. */
export function memory(pid: number): Memory {
  let rssMiB = 0;
  let peakMiB = 0;
  for (const each of tree(pid)) {
    const status = readFileSync(`/proc/${each}/status`, 'utf8');
    rssMiB += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    peakMiB += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }
  return { rssMiB, peakMiB };
}

/** Resets the peak to the current memory. */
export function resetPeak(pid: number): void {
  for (const each of tree(pid)) writeFileSync(`/proc/${each}/clear_refs`, '5');
}
