/**
 * Whether a value can be a run-as user: a system ID or an e-mail address. Only printable ASCII without spaces and
 * commas is allowed, so that it can neither end the header nor be read as two values.
 */
export function isRunAs(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x2b\x2d-\x7e]{1,256}$/.test(value);
}
