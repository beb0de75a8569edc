import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';

/** A group of processes that the system ends if they use more memory than its limit. */
export interface MemoryGroup {
  /** `v2` or `v1`. */
  readonly version: string;
  /** The command that executes the one after it in the group. */
  readonly wrapper: readonly string[];
  remove(): void;
}

interface Hierarchy {
  readonly version: string;
  readonly root: string;
  /** The content of the files that set the limits. A kernel that does not account for swap has no file for it. */
  readonly limits: (bytes: number) => Readonly<Record<string, string>>;
}

const HIERARCHIES: readonly Hierarchy[] = [
  {
    version: 'v2',
    root: '/sys/fs/cgroup',
    limits: (bytes) => ({ 'memory.max': `${bytes}`, 'memory.swap.max': '0' }),
  },
  {
    version: 'v1',
    root: '/sys/fs/cgroup/memory',
    limits: (bytes) => ({
      'memory.limit_in_bytes': `${bytes}`,
      'memory.memsw.limit_in_bytes': `${bytes}`,
    }),
  },
];

/**
 * Creates a memory cgroup: of version 2, otherwise of version 1. It needs root, or a root of the hierarchy that belongs
 * to the user.
 *
 * @throws {Error} if neither is possible
 */
export function createMemoryGroup(bytes: number): MemoryGroup {
  const reasons: string[] = [];
  for (const hierarchy of HIERARCHIES) {
    try {
      return create(hierarchy, bytes);
    } catch (error) {
      reasons.push(`${hierarchy.version}: ${(error as Error).message}`);
    }
  }
  throw new Error(`No memory cgroup, so this run would prove nothing: ${reasons.join('; ')}`);
}

function create({ version, root, limits }: Hierarchy, bytes: number): MemoryGroup {
  const folder = `${root}/bench-pressure-${process.pid}`;
  if (version === 'v2') write(`${root}/cgroup.subtree_control`, '+memory');
  mkdirSync(folder);
  const remove = (): void => rmdirSync(folder);
  try {
    for (const [name, limit] of Object.entries(limits(bytes))) {
      const file = `${folder}/${name}`;
      if (existsSync(file) || !name.includes('sw')) write(file, limit);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    version,
    wrapper: ['/bin/sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'],
    remove,
  };
}

/** Unlike with the default flag, a file that does not exist is an error: in another file system it would be created. */
function write(file: string, text: string): void {
  writeFileSync(file, text, { flag: 'r+' });
}
