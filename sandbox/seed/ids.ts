const ranges = new Set<string>();

/**
 * The full IDs of one kind of seeded objects, by number. They are the same after every first start, so that examples can
 * use them.
 *
 * @param range four hexadecimal digits
 * @throws if another kind has the range
 */
export function seedIds(range: string): (n: number) => string {
  if (ranges.has(range)) throw new Error(`Two kinds of seeded objects have the range ${range}.`);
  ranges.add(range);
  return (n) => `65f000005eed${range}${n.toString(16).padStart(8, '0')}`;
}

export const seedId = {
  document: seedIds('00d0'),
  file: seedIds('00a0'),
  recoEntry: seedIds('00e0'),
  recoForm: seedIds('00e1'),
};

/** Creation time of reference data. */
const seedTime = '2026-01-02T08:00:00.000Z';
export const seedMeta = { created: seedTime, modified: seedTime, rev: 1 } as const;
