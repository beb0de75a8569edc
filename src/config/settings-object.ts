import { ConfigError, readConfig, type Config } from './read-config.ts';
import { settings } from './settings.ts';
import { tracingSettings } from './tracing-settings.ts';

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
 * and empty values count as unset. Those of the process are not among them: `WORKERS`, and the variables of
 * OpenTelemetry.
 */
export type GatewaySettings = {
  readonly [K in Exclude<keyof Settings, keyof typeof processSettings> as Settings[K]['name']]?:
    | Input<Settings[K]['fallback']>
    | undefined;
};

const processSettings = { workers: settings.workers, ...tracingSettings };
const namesOf = (among: object): ReadonlySet<string> =>
  new Set(Object.values(among as typeof settings).map(({ name }) => name));
const names = namesOf(settings);
const processNames = namesOf(processSettings);

/**
 * Validates settings as `readConfig` does, and also rejects names that do not exist. The environment is not read.
 *
 * @param defaults values of settings that are not set, instead of the documented defaults
 * @throws {ConfigError} naming every invalid setting
 */
export function readSettings(input: GatewaySettings, defaults: GatewaySettings = {}): Config {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ConfigError('The settings must be an object');
  }
  const problems: string[] = [];
  const texts: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries({ ...defaults, ...withoutUnset(input) })) {
    if (!names.has(name)) problems.push(`${name} is not a setting`);
    else if (processNames.has(name))
      problems.push(`${name} cannot be set for a gateway in a program`);
    else texts[name] = textOf(value, name, problems);
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
