/** Any of these headers makes a browser send a CORS preflight before it lets a page send the request. */
export const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

/** With the value `1` the response lists the upstream calls of the operation (`extensions.upstream`). */
export const traceHeader = 'x-upstream-trace';
