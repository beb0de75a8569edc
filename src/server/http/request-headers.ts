/**
 * Request headers of which one is required for GET and multipart requests. A browser sends a CORS preflight before a
 * page can set them.
 */
export const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

/**
 * Request header: with the value `1`, the response lists the upstream calls of the operation (`extensions.upstream`).
 */
export const traceHeader = 'x-upstream-trace';
