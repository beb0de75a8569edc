/** Prefix of IDs that are SHA-256 hashes, from the appendix "Persisted Documents" of GraphQL over HTTP. */
export const sha256Prefix = 'sha256:';

const prefixedLength = sha256Prefix.length + 64;

/** The canonical form of an ID: without the prefix if it is a SHA-256 hash. */
export function canonicalId(id: string): string {
  if (id.length !== prefixedLength || !id.startsWith(sha256Prefix)) return id;
  const digits = id.slice(sha256Prefix.length);
  return isSha256(digits) ? digits : id;
}

/** Whether an ID is a SHA-256 hash without its prefix, in lower case. */
export function isSha256(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}
