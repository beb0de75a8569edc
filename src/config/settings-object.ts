import { readConfig, type Config } from './read-config.ts';
import { settings } from './settings.ts';

type Settings = typeof settings;

/** How the value of a setting is written in an object. Numbers and switches can also be text, as in the environment. */
type Input<T> = T extends null
  ? never
  : T extends boolean
    ? boolean | 'on' | 'off'
    : T extends number
      ? number | string
      : T extends readonly string[]
        ? string | readonly string[]
        : T;

/**
 * Settings under the names of their environment variables, which the docs page settings.md describes. Missing, undefined
 * and empty values count as unset. `WORKERS` is not among them: the gateway serves in the calling process.
 */
export type GatewaySettings = {
  readonly [K in Exclude<keyof Settings, 'workers'> as Settings[K]['name']]?:
    | Input<Settings[K]['fallback']>
    | undefined;
};

const { workers, ...supported } = settings;
const names: ReadonlySet<string> = new Set(Object.values(supported).map(({ name }) => name));

/**
 * Validates settings as `readConfig` does, and also rejects names that do not exist. The environment is not read.
 *
 * @param defaults values of settings that are not set, instead of the documented defaults
 * @throws {ConfigError} naming every invalid setting
 */
export function readSettings(input: GatewaySettings, defaults: GatewaySettings = {}): Config {
  const problems: string[] = [];
  const texts: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries({ ...defaults, ...withoutUnset(input) })) {
    if (names.has(name)) texts[name] = textOf(value, name, problems);
    else if (name === workers.name)
      problems.push(`${name} cannot be set for a gateway in a program`);
    else problems.push(`${name} is not a setting`);
  }
  return readConfig(texts, problems);
}

function withoutUnset(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function textOf(value: unknown, name: string, problems: string[]): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  problems.push(`${name} must be a string, a number, a boolean or a list of strings`);
  return undefined;
}
