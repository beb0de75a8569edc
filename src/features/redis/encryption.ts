import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Part of every name. A new format of names or values requires a new number. */
const prefix = 'dms-gateway:1';

/**
 * Names and encrypts the entries in Redis, so that they can neither be read nor modified there. The secret yields a key
 * for names and one for values (HKDF, HMAC-SHA256, AES-256-GCM).
 */
export class Encryption {
  readonly #nameKey: Buffer;
  readonly #valueKey: Buffer;

  constructor(secret: string) {
    const keyFor = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, prefix, purpose, 32));
    this.#nameKey = keyFor('names');
    this.#valueKey = keyFor('values');
  }

  /**
   * Returns the name of a Redis key: its kind in clear text, and everything else as a keyed hash of fixed length.
   *
   * @param parts identify the key among those of its kind, such as the identity
   */
  name(kind: string, ...parts: readonly string[]): string {
    // JSON separates the parts, for all values.
    const text = JSON.stringify([kind, ...parts]);
    const digest = createHmac('sha256', this.#nameKey).update(text).digest('base64url');
    return `${prefix}:${kind}:${digest}`;
  }

  encrypt(name: string, text: string): Buffer {
    const iv = randomBytes(ivBytes);
    const encrypt = createCipheriv(cipher, this.#keyOf(name), iv, { authTagLength: tagBytes });
    encrypt.setAAD(Buffer.from(name));
    const body = [encrypt.update(text, 'utf8'), encrypt.final()];
    return Buffer.concat([iv, encrypt.getAuthTag(), ...body]);
  }

  decrypt(name: string, value: unknown): string | null {
    if (!Buffer.isBuffer(value) || value.length < ivBytes + tagBytes) return null;
    const iv = value.subarray(0, ivBytes);
    const decrypt = createDecipheriv(cipher, this.#keyOf(name), iv, { authTagLength: tagBytes });
    decrypt.setAAD(Buffer.from(name));
    decrypt.setAuthTag(value.subarray(ivBytes, ivBytes + tagBytes));
    try {
      const text = decrypt.update(value.subarray(ivBytes + tagBytes));
      return Buffer.concat([text, decrypt.final()]).toString();
    } catch {
      return null; // another secret or name, or damaged
    }
  }

  /** Each name has an encryption key of its own, so that each of them encrypts few values with random IVs. */
  #keyOf(name: string): Buffer {
    return createHmac('sha256', this.#valueKey).update(name).digest();
  }
}
