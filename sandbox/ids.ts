import { randomBytes } from 'node:crypto';

/**
 * Creates a full ID: 24 hexadecimal characters, of which the first 8 are the time in seconds, so that IDs sort by age.
 */
export function newFullId(): string {
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

export function isFullId(text: string): boolean {
  return /^[0-9a-f]{24}$/i.test(text);
}

export function timestamp(): string {
  return new Date().toISOString();
}
