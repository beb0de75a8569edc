/**
 * Whether browsers send a request after the page has ended: they send 64 KiB.
 *
 * @param reserved what the request has besides the text, in bytes
 */
export function isKept(text: string, reserved = 0): boolean {
  return new Blob([text]).size + reserved <= 65_536;
}
