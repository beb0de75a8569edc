import type { Wire } from './parse.ts';

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** One property of an entity of ours: what it is called in the DMS's answer, and how it is read. */
export interface Property<T> {
  /** What goes into `fields` for it. */
  readonly names: readonly string[];
  /** What goes into `embed` for it. */
  readonly embed?: readonly string[];
  /** Reads it; what the answer lacks becomes null or empty. */
  readonly set: (to: Writable<T>, wire: Wire, request: string) => void;
}

/** `fields` and `embed` of some properties, each name once, in the order of the properties. */
export function namesOf(properties: readonly Pick<Property<unknown>, 'names' | 'embed'>[]): {
  fields: string[];
  embed: string[];
} {
  return {
    fields: [...new Set(properties.flatMap(({ names }) => names))],
    embed: [...new Set(properties.flatMap(({ embed = [] }) => embed))],
  };
}
