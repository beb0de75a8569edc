import type { Profiler } from 'node:inspector';

export interface Share {
  readonly name: string;
  readonly ms: number;
  /** Fraction of the time that was not idle. */
  readonly share: number;
}

export interface Ranking {
  readonly busyMs: number;
  readonly byFunction: readonly Share[];
  readonly byModule: readonly Share[];
}

/** Self time by function and by module: a package, a source file of the gateway, or a part of Node. */
export function rank(profile: Profiler.Profile): Ranking {
  const selfMs = new Map<number, number>();
  const deltas = profile.timeDeltas ?? [];
  (profile.samples ?? []).forEach((id, at) => {
    selfMs.set(id, (selfMs.get(id) ?? 0) + (deltas[at] ?? 0) / 1000);
  });
  const functions = new Map<string, number>();
  const modules = new Map<string, number>();
  let busyMs = 0;
  for (const { id, callFrame } of profile.nodes) {
    const ms = selfMs.get(id) ?? 0;
    const module = moduleOf(callFrame);
    if (ms === 0 || module === '(idle)') continue;
    busyMs += ms;
    const line = `${callFrame.functionName || '(anonymous)'} ${module}:${callFrame.lineNumber + 1}`;
    functions.set(line, (functions.get(line) ?? 0) + ms);
    modules.set(module, (modules.get(module) ?? 0) + ms);
  }
  return { busyMs, byFunction: sorted(functions, busyMs), byModule: sorted(modules, busyMs) };
}

function sorted(map: ReadonlyMap<string, number>, busyMs: number): Share[] {
  return [...map.entries()]
    .map(([name, ms]) => ({ name, ms, share: ms / busyMs }))
    .toSorted((a, b) => b.ms - a.ms);
}

function moduleOf({ functionName, url }: { functionName: string; url: string }): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url);
  if (packaged?.[1] !== undefined) return packaged[1];
  if (url.startsWith('node:')) return url;
  return /\/((?:src|bench)\/.+)$/.exec(url)?.[1] ?? url;
}
