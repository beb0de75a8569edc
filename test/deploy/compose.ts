import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly target?: string;
  };
  readonly environment?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

type ServiceName = 'proxy' | 'gateway' | 'sandbox' | 'redis' | 'jaeger' | 'prometheus';

export interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const deploy = new URL('../../deploy/', import.meta.url);

export const composeFile = new URL('compose.yaml', deploy);

/** Reads a file of deploy/. */
export const readDeployFile = (name: string): string => readFileSync(new URL(name, deploy), 'utf8');

/** deploy/compose.yaml with its YAML anchors resolved, as Compose reads it. */
export const compose = parse(readDeployFile('compose.yaml'), { merge: true }) as Compose;

/**
 * Replaces variables as Compose does: `${NAME:-default}` if unset or empty, `${NAME-default}` if unset, and `$$` for `$`.
 *
 * @throws {Error} if a mandatory variable is unset, `${NAME?message}`, or also empty, `${NAME:?message}`
 */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$(?:(\$)|\{(\w+)(?:(:?[-?])([^}]*))?\})/g,
    (_all, dollar?: string, name = '', operator = '', rest = '') => {
      if (dollar !== undefined) return dollar;
      const value = variables[name];
      const isMissing = value === undefined || (operator.startsWith(':') && value === '');
      if (isMissing && operator.endsWith('?')) throw new Error(`${name} ${rest}`);
      return isMissing ? rest : value;
    },
  );
}

/** Values for the variables that compose.yaml requires. */
export const secrets = {
  REDIS_PASSWORD: '0123456789abcdef',
  SHARED_SECRET: 'a secret that is shared by all of the gateways',
  FILE_URL_SECRET: 'a secret that signs the links of all gateways',
} as const;

/** The environment of the gateways in compose.yaml, without unset variables. */
export function composeSettings(
  variables: Readonly<Record<string, string>>,
  required: Readonly<Record<string, string>> = secrets,
): Record<string, string> {
  const all = { ...required, ...variables };
  const pairs = compose.services.gateway.environment!.flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=');
    if (at !== -1) return [[entry.slice(0, at), interpolate(entry.slice(at + 1), all)]];
    const value = all[entry];
    return value === undefined ? [] : [[entry, value]];
  });
  return Object.fromEntries(pairs);
}
