import * as core from '../config/read-config.ts';
import type {
  Environment,
  NoSettings,
  SettingsTable,
  ValuesOf,
} from '../config/setting-parsers.ts';
import * as sources from '../config/setting-sources.ts';
import type { settings as coreSettings } from '../config/settings.ts';
import { features } from './index.ts';

/* The settings of the core and of all features, and the functions that read them. */

type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;
type TableOf<F> = F extends { readonly settings?: infer S }
  ? NoSettings extends NonNullable<S>
    ? never
    : NonNullable<S>
  : never;
type FeatureSettings =
  Intersection<TableOf<(typeof features)[number]>> extends infer S extends SettingsTable
    ? S
    : NoSettings;

/** The validated settings of one process, with those of features. */
export type Settings = core.Settings & ValuesOf<FeatureSettings>;

/**
 * Settings under the names of their environment variables, which the docs page settings.md describes. Missing,
 * undefined and empty values count as unset. Those of the process are not among them.
 */
export type GatewaySettings = sources.SettingsInput<typeof coreSettings> &
  sources.SettingsInput<FeatureSettings>;

/** Every setting by its name in the code. */
export const settings = core.allSettings(features) as typeof coreSettings & FeatureSettings;

/** @see core.readConfig */
export function readConfig(env: Environment): Settings {
  return core.readConfig(env, features) as Settings;
}

/** @see sources.readSettings */
export function readSettings(input: GatewaySettings, defaults: GatewaySettings = {}): Settings {
  return sources.readSettings(input, features, defaults) as Settings;
}

/** @see sources.readEnvironment */
export function readEnvironment(
  variables: Environment,
  settingsOfFile: GatewaySettings = {},
): Settings {
  return sources.readEnvironment(variables, features, settingsOfFile) as Settings;
}
