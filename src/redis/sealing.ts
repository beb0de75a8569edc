import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Names and encrypts the entries in Redis, so that they can neither be read nor modified there. */
export interface Sealing {
  /**
   * Returns the name of a Redis key: its kind in clear text, and everything else as a keyed hash of fixed length.
   * @param parts identify the key among those of its kind, such as the identity
   */
  name(kind: string, ...parts: readonly string[]): string;
  /** Encrypts and authenticates `text`. `name` is the key or channel that it is for. */
  seal(name: string, text: string): Buffer;
  /** Decrypts a text that was sealed for this key or channel with the same secret. Returns null for anything else. */
  open(name: string, sealed: unknown): string | null;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Part of every name. A new format of names or values requires a new number. */
const prefix = 'dms-gateway:1';

/**
 * Derives the keys from a secret (HKDF), one for names and one for values (HMAC-SHA256, AES-256-GCM).
 *
 * @param secret SHARED_SECRET
 */
export function createSealing(secret: string): Sealing {
  const keyFor = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, prefix, purpose, 32));
  const nameKey = keyFor('names');
  const valueKey = keyFor('values');
  // Each name has an encryption key of its own, so that each of them encrypts few values with random IVs.
  const keyOf = (name: string): Buffer => createHmac('sha256', valueKey).update(name).digest();

  return {
    name(kind, ...parts) {
      // JSON separates the parts, for all values.
      const text = JSON.stringify([kind, ...parts]);
      return `${prefix}:${kind}:${createHmac('sha256', nameKey).update(text).digest('base64url')}`;
    },
    seal(name, text) {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, keyOf(name), iv, { authTagLength: tagBytes });
      encrypt.setAAD(Buffer.from(name));
      const body = [encrypt.update(text, 'utf8'), encrypt.final()];
      return Buffer.concat([iv, encrypt.getAuthTag(), ...body]);
    },
    open(name, sealed) {
      if (!Buffer.isBuffer(sealed) || sealed.length < ivBytes + tagBytes) return null;
      const iv = sealed.subarray(0, ivBytes);
      const decrypt = createDecipheriv(cipher, keyOf(name), iv, { authTagLength: tagBytes });
      decrypt.setAAD(Buffer.from(name));
      decrypt.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const text = decrypt.update(sealed.subarray(ivBytes + tagBytes));
        return Buffer.concat([text, decrypt.final()]).toString();
      } catch {
        return null; // another secret or name, or damaged
      }
    },
  };
}
