import {
  address,
  choice,
  flag,
  hostNames,
  longestTimerMs,
  origins,
  text,
  whole,
} from './setting-parsers.ts';

const positiveMs = [1, longestTimerMs] as const;
const headerName = { pattern: /^[\w!#$%&'*+.^`|~-]+$/, must: 'must be a header name' };
const headerValue = { pattern: /^[\x21-\x7e][\x20-\x7e]*$/, must: 'must be printable ASCII' };
const anyText = { pattern: /^[^\0]+$/, must: 'must be a text' };
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting of the gateway, by the name that the code knows it by. `--help` shows them in this order. */
export const settings = {
  port: whole('PORT', 4000, [0, 65_535], 'port to listen on; 0: any free one'),
  host: text('HOST', '127.0.0.1', 'address to listen on'),
  publicUrl: address(
    'PUBLIC_URL',
    'where clients reach the gateway; unset: the host they asked for',
  ),
  allowedHosts: hostNames(
    'ALLOWED_HOSTS',
    'more host names of the gateway, separated by commas; *: any',
  ),
  workers: whole(
    'WORKERS',
    1,
    [1, 256],
    'processes that answer; more than one core needs more than one',
  ),

  dmsUrl: address(
    'DMS_URL',
    'base address of the DMS, may have a path; unset: the embedded sandbox',
  ),
  runAsHeader: text('DMS_RUN_AS_HEADER', 'svc-run-as', 'header that names the user', headerName),
  dmsTimeoutMs: whole('DMS_TIMEOUT_MS', 30_000, positiveMs, 'longest upstream call'),
  requestTimeoutMs: whole(
    'REQUEST_TIMEOUT_MS',
    60_000,
    positiveMs,
    'longest operation; uploads and downloads: longest silence',
  ),
  retries: whole('DMS_RETRIES', 2, [0, 10], 'how often a failed read is repeated'),
  connections: whole('DMS_CONNECTIONS', 128, [1, 10_000], 'connections to the DMS'),
  concurrency: whole('DMS_CONCURRENCY', 32, [1, 10_000], 'calls in flight for one operation'),
  projection: flag('DMS_PROJECTION', true, 'off: never ask the DMS for single properties'),
  singleFlight: flag('SINGLE_FLIGHT', true, 'off: equal reads at the same time are sent apart'),
  cacheTtlMs: whole('CACHE_TTL_MS', 30_000, [0, longestTimerMs], 'life of reference data; 0: none'),

  identityMode: choice(
    'IDENTITY',
    null,
    ['passthrough', 'service', 'jwt'],
    'passthrough, service or jwt; unset: service on the sandbox, else passthrough',
  ),
  jwtSecret: text('JWT_SECRET', null, 'key of HS256 tokens (IDENTITY=jwt)'),
  jwtJwksUrl: address('JWT_JWKS_URL', 'keys of RS, PS, ES and EdDSA tokens (IDENTITY=jwt)'),
  jwtIssuer: text('JWT_ISSUER', null, 'what `iss` must be; required with JWT_JWKS_URL'),
  jwtAudience: text('JWT_AUDIENCE', null, 'what `aud` must hold; required with JWT_JWKS_URL'),
  jwtRunAsClaim: text('JWT_RUN_AS_CLAIM', 'email', 'the claim that names the user'),
  authorization: text(
    'DMS_AUTHORIZATION',
    null,
    'Authorization header of the service account',
    headerValue,
  ),
  accountId: text('DMS_ACCOUNT_ID', null, 'service account that signs each call instead'),
  accountKey: text(
    'DMS_ACCOUNT_KEY',
    null,
    'its key: a shared secret, or PKCS 8 PEM for RS256 and ES256',
    anyText,
  ),
  accountAlgorithm: choice(
    'DMS_ACCOUNT_ALG',
    'HS256',
    ['HS256', 'HS384', 'HS512', 'RS256', 'ES256'],
    'how it signs: HS256, HS384, HS512, RS256 or ES256',
  ),
  fileUrlSecret: text(
    'FILE_URL_SECRET',
    null,
    'signs file links, same on all replicas; unset: random',
  ),
  fileUrlTtlS: whole('FILE_URL_TTL_S', 300, [1, 86_400], 'life of a file link, in seconds'),

  maxUploadBytes: whole(
    'MAX_UPLOAD_BYTES',
    2 ** 30,
    [1, Number.MAX_SAFE_INTEGER],
    'size of one file, and of all files of one document',
  ),
  maxUploadFiles: whole('MAX_UPLOAD_FILES', 20, [1, 1000], 'files of one request'),
  maxBodyBytes: whole(
    'MAX_BODY_BYTES',
    2 ** 20,
    [1024, 2 ** 28],
    'size of a request less its files',
  ),
  maxDepth: whole('MAX_DEPTH', 12, [1, 1000], 'levels of fields in one operation'),
  maxAliases: whole('MAX_ALIASES', 50, [0, 10_000], 'aliases in one operation'),
  maxTokens: whole(
    'MAX_TOKENS',
    2000,
    [10, 100_000],
    'tokens of one document; selections with fragments written out',
  ),
  maxRootFields: whole('MAX_ROOT_FIELDS', 20, [1, 10_000], 'fields at the root of one operation'),
  maxDirectives: whole('MAX_DIRECTIVES', 50, [0, 10_000], 'directives in one operation'),
  maxListFields: whole(
    'MAX_LIST_FIELDS',
    100_000,
    [1000, 100_000_000],
    'fields of all items of all lists of one answer',
  ),
  maxResponseBytes: whole('MAX_RESPONSE_BYTES', 2 ** 25, [1024, 2 ** 28], 'size of one answer'),
  maxUpstreamCalls: whole('MAX_UPSTREAM_CALLS', 500, [1, 1_000_000], 'calls of one operation'),

  compileAfter: whole(
    'COMPILE_AFTER',
    3,
    [0, 1_000_000],
    'how often a query comes before it is compiled; 0: never',
  ),
  corsOrigins: origins('CORS_ORIGINS', 'origins whose pages may call, separated by commas'),
  playground: flag('PLAYGROUND', true, 'GraphiQL for a browser at /graphql'),
  introspection: flag('INTROSPECTION', true, 'whether the schema can be asked for'),
  upstreamTrace: flag(
    'UPSTREAM_TRACE',
    null,
    'whether `x-upstream-trace: 1` is answered; unset: unless NODE_ENV=production',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    'info',
    logLevels,
    `least level that is logged: ${logLevels.join(', ')}`,
  ),
  dataDir: text('DATA_DIR', '.data', 'where the sandbox keeps its data'),
  shutdownTimeoutMs: whole(
    'SHUTDOWN_TIMEOUT_MS',
    10_000,
    [0, longestTimerMs],
    'how long a stop waits for running requests',
  ),
} as const;
