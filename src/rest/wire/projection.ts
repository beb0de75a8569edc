import type { Wire } from './read.ts';

/** One property of ours: what it is called in the DMS's answer, and how it is read. */
export interface Property {
  /** Our name. */
  readonly key: string;
  /** What goes into `fields` for it. */
  readonly names: readonly string[];
  /** What goes into `embed` for it. */
  readonly embed?: readonly string[];
  readonly read: (wire: Wire, request: string) => unknown;
}

/** `fields` and `embed` of some properties, each name once, in the order of the properties. */
export function namesOf(properties: readonly Property[]): { fields: string[]; embed: string[] } {
  return {
    fields: [...new Set(properties.flatMap(({ names }) => names))],
    embed: [...new Set(properties.flatMap(({ embed = [] }) => embed))],
  };
}
