import { fileURLToPath } from 'node:url';

/** A measured server and how it is started. */
export interface Contestant {
  readonly name: string;
  readonly title: string;
  readonly cwd: string;
  readonly script: string;
  /** Arguments of the script. Default: none. */
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Path that returns 200 as soon as the server is ready. Undefined: the first successful connection counts. */
  readonly readyPath?: string;
}

const bench = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

function peer(name: string, title: string): Contestant {
  return { name, title, cwd: bench, script: `contestants/${name}.ts`, env: {} };
}

/**
 * The gateway in its production configuration: all limits are active and the log level is info. Only the identity mode
 * is set, so that sixteen callers can take turns.
 */
export function gateway(
  name: string,
  title: string,
  env: Readonly<Record<string, string>> = {},
): Contestant {
  return {
    name,
    title,
    cwd: root,
    script: 'src/start.mjs',
    env: { IDENTITY: 'passthrough', HOST: '127.0.0.1', ...env },
    readyPath: '/readyz',
  };
}

export const RAW = peer('raw', 'raw');
export const GATEWAY = gateway('gateway', 'gateway');

/** No cache or sharing across requests. */
const alone = { CACHE_TTL_MS: '0', SINGLE_FLIGHT: 'off' };
export const GATEWAY_ALONE = gateway('gateway-alone', 'gateway, no cache or sharing', alone);

export const CONTESTANTS: readonly Contestant[] = [
  RAW,
  GATEWAY_ALONE,
  GATEWAY,
  peer('mercurius', 'Mercurius + jit + undici'),
  peer('apollo', 'Apollo Server + datasource-rest'),
  peer('yoga', 'Yoga + DataLoader'),
];

/** @throws {Error} if there is no contestant of that name */
export function contestantNamed(name: string): Contestant {
  const contestant = CONTESTANTS.find((one) => one.name === name);
  if (contestant === undefined) throw new Error(`no contestant ${name}`);
  return contestant;
}
