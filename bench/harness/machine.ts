import { arch, cpus, loadavg, release, totalmem } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  /** One-minute load before the run: over about 0.5 somebody else was at work. */
  readonly loadBefore: number;
}

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `Linux ${release()} ${arch()}`,
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}
