/** Prefix of IDs that are SHA-256 hashes, from the appendix "Persisted Documents" of GraphQL over HTTP. */
export const sha256Prefix = 'sha256:';

/** The canonical form of an ID: without the prefix if it is a SHA-256 hash. */
export function canonicalId(id: string): string {
  return /^sha256:([0-9a-f]{64})$/.exec(id)?.[1] ?? id;
}

/** Whether an ID is a SHA-256 hash without its prefix, in lower case. */
export function isSha256(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}
