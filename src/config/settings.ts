import {
  httpUrl,
  oneOf,
  onOff,
  hostNames,
  maxTimerMs,
  origins,
  text,
  integer,
} from './setting-parsers.ts';

const positiveMs = [1, maxTimerMs] as const;
const headerName = { pattern: /^[\w!#$%&'*+.^`|~-]+$/, must: 'must be a header name' };
const headerValue = { pattern: /^[\x21-\x7e][\x20-\x7e]*$/, must: 'must be printable ASCII' };
const anyText = { pattern: /^[^\0]+$/, must: 'must be a text' };
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting of the gateway, by the name that the code knows it by. `--help` shows them in this order. */
export const settings = {
  port: integer('PORT', 4000, [0, 65_535], 'port to listen on; 0: any free one'),
  host: text('HOST', '127.0.0.1', 'address to listen on'),
  publicUrl: httpUrl(
    'PUBLIC_URL',
    'where clients reach the gateway; unset: the host they asked for',
  ),
  allowedHosts: hostNames(
    'ALLOWED_HOSTS',
    'more host names of the gateway, separated by commas; *: any',
  ),
  workers: integer(
    'WORKERS',
    1,
    [1, 256],
    'processes that answer; more than one core needs more than one',
  ),

  dmsUrl: httpUrl(
    'DMS_URL',
    'base address of the DMS, may have a path; unset: the embedded sandbox',
  ),
  runAsHeader: text('DMS_RUN_AS_HEADER', 'svc-run-as', 'header that names the user', headerName),
  dmsTimeoutMs: integer('DMS_TIMEOUT_MS', 30_000, positiveMs, 'longest upstream call'),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    60_000,
    positiveMs,
    'longest operation; uploads and downloads: longest silence',
  ),
  retries: integer('DMS_RETRIES', 2, [0, 10], 'how often a failed read is repeated'),
  connections: integer('DMS_CONNECTIONS', 128, [1, 10_000], 'connections to the DMS'),
  concurrency: integer('DMS_CONCURRENCY', 32, [1, 10_000], 'calls in flight for one operation'),
  projection: onOff('DMS_PROJECTION', true, 'off: never ask the DMS for single properties'),
  singleFlight: onOff('SINGLE_FLIGHT', true, 'off: equal reads at the same time are sent apart'),
  cacheTtlMs: integer('CACHE_TTL_MS', 30_000, [0, maxTimerMs], 'life of reference data; 0: none'),

  identityMode: oneOf(
    'IDENTITY',
    null,
    ['passthrough', 'service', 'jwt'],
    'passthrough, service or jwt; unset: service on the sandbox, else passthrough',
  ),
  jwtSecret: text('JWT_SECRET', null, 'key of HS256 tokens (IDENTITY=jwt)'),
  jwtJwksUrl: httpUrl('JWT_JWKS_URL', 'keys of RS, PS, ES and EdDSA tokens (IDENTITY=jwt)'),
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
  accountAlgorithm: oneOf(
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
  fileUrlTtlS: integer('FILE_URL_TTL_S', 300, [1, 86_400], 'life of a file link, in seconds'),

  maxUploadBytes: integer(
    'MAX_UPLOAD_BYTES',
    2 ** 30,
    [1, Number.MAX_SAFE_INTEGER],
    'size of one file, and of all files of one document',
  ),
  maxUploadFiles: integer('MAX_UPLOAD_FILES', 20, [1, 1000], 'files of one request'),
  maxBodyBytes: integer(
    'MAX_BODY_BYTES',
    2 ** 20,
    [1024, 2 ** 28],
    'size of a request less its files',
  ),
  maxDepth: integer('MAX_DEPTH', 12, [1, 1000], 'levels of fields in one operation'),
  maxAliases: integer('MAX_ALIASES', 50, [0, 10_000], 'aliases in one operation'),
  maxTokens: integer(
    'MAX_TOKENS',
    2000,
    [10, 100_000],
    'tokens of one document; selections with fragments written out',
  ),
  maxRootFields: integer('MAX_ROOT_FIELDS', 20, [1, 10_000], 'fields at the root of one operation'),
  maxDirectives: integer('MAX_DIRECTIVES', 50, [0, 10_000], 'directives in one operation'),
  maxListFields: integer(
    'MAX_LIST_FIELDS',
    100_000,
    [1000, 100_000_000],
    'fields of all items of all lists of one answer',
  ),
  maxResponseBytes: integer('MAX_RESPONSE_BYTES', 2 ** 25, [1024, 2 ** 28], 'size of one answer'),
  maxUpstreamCalls: integer('MAX_UPSTREAM_CALLS', 500, [1, 1_000_000], 'calls of one operation'),

  compileAfter: integer(
    'COMPILE_AFTER',
    3,
    [0, 1_000_000],
    'how often a query comes before it is compiled; 0: never',
  ),
  corsOrigins: origins('CORS_ORIGINS', 'origins whose pages may call, separated by commas'),
  playground: onOff('PLAYGROUND', true, 'GraphiQL for a browser at /graphql'),
  introspection: onOff('INTROSPECTION', true, 'whether the schema can be asked for'),
  upstreamTrace: onOff(
    'UPSTREAM_TRACE',
    null,
    'whether `x-upstream-trace: 1` is answered; unset: unless NODE_ENV=production',
  ),
  logLevel: oneOf(
    'LOG_LEVEL',
    'info',
    logLevels,
    `least level that is logged: ${logLevels.join(', ')}`,
  ),
  dataDir: text('DATA_DIR', '.data', 'where the sandbox keeps its data'),
  shutdownTimeoutMs: integer(
    'SHUTDOWN_TIMEOUT_MS',
    10_000,
    [0, maxTimerMs],
    'how long a stop waits for running requests',
  ),
} as const;
