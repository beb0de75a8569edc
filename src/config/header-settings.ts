import { connectionHeaders, printable } from '../model/common.ts';

/**
 * Headers that cannot carry the run-as user: headers of connections and bodies, which never reach the DMS, and those
 * that the gateway sends itself.
 */
const reservedHeaders = [
  ...connectionHeaders,
  'content-type',
  'accept',
  'accept-encoding',
  'authorization',
  'if-range',
  'range',
  'traceparent',
  'tracestate',
  'x-request-id',
].join('|');
/**
 * Headers that are not forwarded besides those: credentials, the default run-as header, conditions, headers of bodies, and
 * headers that change the method.
 */
const unforwardedHeader =
  /^(?:proxy-.*|content-.*|if-.*|cookie2?|set-cookie|(?:x-)?api-key|x-(?:auth|access)-token|svc-run-as|x-(?:http-)?method(?:-override)?)$/;
const maxForwardedHeaders = 20;

export const headerName = {
  pattern: new RegExp(`^(?!(?:${reservedHeaders})$)[\\w!#$%&'*+.^\`|~-]+$`, 'i'),
  must: 'must be an HTTP header name, and not that of a header with another meaning',
};

/** Comma-separated names of headers. They are converted to lower case. */
export function forwardedNames(value: string): string[] {
  const names = [...new Set(value.split(',').map((one) => one.trim().toLowerCase()))];
  const wrong = names.find((one) => !headerName.pattern.test(one) || unforwardedHeader.test(one));
  if (wrong !== undefined) {
    throw new Error(
      `must be a comma-separated list of header names. "${printable(wrong.slice(0, 40))}" cannot be forwarded`,
    );
  }
  if (names.length <= maxForwardedHeaders) return names;
  throw new Error(`must have at most ${maxForwardedHeaders} names`);
}

export const headerValue = {
  pattern: /^[\x21-\x7e][\x20-\x7e]*$/,
  must: 'must consist of printable ASCII characters',
};
