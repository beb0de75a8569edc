import type { Wire } from './parse.ts';

/** `T` without `readonly`, for objects that are being built. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** One property of a model type: its names in the response of the DMS, and its parser. */
export interface Property<T> {
  /** Names to request in `fields`. */
  readonly names: readonly string[];
  /** Names to request in `embed`. */
  readonly embed?: readonly string[];
  /** Reads the property. A missing value becomes null or empty. */
  readonly set: (to: Writable<T>, wire: Wire, request: string) => void;
}

/** Names of `fields` and `embed` of several properties, without duplicates, in the order of the properties. */
export function namesOf(properties: readonly Pick<Property<unknown>, 'names' | 'embed'>[]): {
  fields: string[];
  embed: string[];
} {
  return {
    fields: [...new Set(properties.flatMap(({ names }) => names))],
    embed: [...new Set(properties.flatMap(({ embed = [] }) => embed))],
  };
}
