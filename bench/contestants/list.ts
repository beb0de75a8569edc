import { fileURLToPath } from 'node:url';

/** Who is measured, and how each is started. */
export interface Contestant {
  readonly name: string;
  readonly title: string;
  readonly cwd: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers 200 as soon as the contestant can serve; undefined where the first connection tells. */
  readonly readyPath?: string;
}

const bench = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

function peer(name: string, title: string): Contestant {
  return { name, title, cwd: bench, script: `contestants/${name}.ts`, env: {} };
}

/**
 * The gateway as an operator would run it before a real service: every protection on, logs at info. The bench only
 * names the identity mode, so that sixteen callers can take turns.
 */
export function gateway(
  name: string,
  title: string,
  env: Readonly<Record<string, string>> = {},
  folder: string = root,
): Contestant {
  return {
    name,
    title,
    cwd: folder,
    script: 'src/start.mjs',
    env: { IDENTITY: 'passthrough', HOST: '127.0.0.1', ...env },
    readyPath: '/readyz',
  };
}

export const RAW = peer('raw', 'raw');
export const GATEWAY = gateway('gateway', 'gateway');

/** Nothing is kept or shared across requests. */
const alone = { CACHE_TTL_MS: '0', SINGLE_FLIGHT: 'off' };
export const GATEWAY_ALONE = gateway('gateway-alone', 'gateway, nothing across requests', alone);

/** The gateway of another checkout, in both forms: what a change costs is measured beside the commit before it. */
export function besides(folder: string): readonly Contestant[] {
  return [
    gateway('beside-alone', 'other checkout, nothing across requests', alone, folder),
    gateway('beside', 'other checkout', {}, folder),
  ];
}

export const CONTESTANTS: readonly Contestant[] = [
  RAW,
  GATEWAY_ALONE,
  GATEWAY,
  peer('mercurius', 'Mercurius + jit + undici'),
  peer('apollo', 'Apollo Server + datasource-rest'),
  peer('yoga', 'Yoga + DataLoader'),
];
