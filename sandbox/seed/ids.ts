/** Kinds of seeded objects. Each has its own range of full IDs. */
const kinds = {
  form: '00f0',
  process: '00f1',
  document: '00d0',
  file: '00a0',
  recoEntry: '00e0',
  recoForm: '00e1',
  organization: '00c0',
  directory: '0010',
  listValue: '0011',
} as const;

/**
 * The full ID of the n-th seeded object of a kind. It is the same after every first start, so that examples can use it.
 */
export function seedId(kind: keyof typeof kinds, n: number): string {
  return `65f000005eed${kinds[kind]}${n.toString(16).padStart(8, '0')}`;
}

/** Creation time of reference data. */
const seedTime = '2026-01-02T08:00:00.000Z';
export const seedMeta = { created: seedTime, modified: seedTime, rev: 1 } as const;
