/**
 * Whether a text can name a user to run as: a system id or an e-mail address. Printable ASCII without spaces
 * and commas, so that it can neither end the header nor be read as two values.
 */
export function isRunAs(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x2b\x2d-\x7e]{1,256}$/.test(value);
}
