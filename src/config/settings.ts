import { printable } from '../model/common.ts';
import {
  hostName,
  hostNames,
  httpUrl,
  integer,
  list,
  maxDurationMs,
  ofProcess,
  oneOf,
  onOff,
  optional,
  origins,
  proxyUrl,
  secret,
  text,
} from './setting-parsers.ts';

const positiveMs = [1, maxDurationMs] as const;
/**
 * Headers that cannot carry the run-as user: headers of connections and bodies, which never reach the DMS, and those
 * that the gateway sends itself.
 */
const reservedHeaders = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'content-length',
  'content-type',
  'transfer-encoding',
  'upgrade',
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

const headerName = {
  pattern: new RegExp(`^(?!(?:${reservedHeaders})$)[\\w!#$%&'*+.^\`|~-]+$`, 'i'),
  must: 'must be an HTTP header name, and not that of a header with another meaning',
};

/** Comma-separated names of headers. They are converted to lower case. */
function forwardedNames(value: string): string[] {
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

const headerValue = {
  pattern: /^[\x21-\x7e][\x20-\x7e]*$/,
  must: 'must consist of printable ASCII characters',
};
const anyText = { pattern: /^[^\0]+$/, must: 'must not contain a NUL character' };
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * The settings of the core. `--help` and docs/settings.md list them in this order, followed by those of the features.
 */
export const settings = {
  port: integer('PORT', 4000, [0, 65_535], 'Port to listen on. 0 selects a free port.'),
  host: text('HOST', '127.0.0.1', 'Address to listen on.'),
  publicUrl: optional(
    'PUBLIC_URL',
    httpUrl,
    'Public base URL of the gateway. Unset: derived from the `Host` header.',
  ),
  allowedHosts: list(
    'ALLOWED_HOSTS',
    hostNames,
    'Additional host names of the gateway, comma-separated. `*` allows any host name.',
  ),

  dmsUrl: optional(
    'DMS_URL',
    httpUrl,
    'Base URL of the DMS, optionally with a path. `sandbox`, and unset unless NODE_ENV=production: the embedded sandbox.',
  ),
  runAsHeader: text(
    'DMS_RUN_AS_HEADER',
    'svc-run-as',
    'Name of the header that carries the user of a request.',
    headerName,
  ),
  forwardHeaders: list(
    'FORWARD_HEADERS',
    forwardedNames,
    'Names of request headers that the DMS receives, comma-separated.',
  ),
  dmsTimeoutMs: integer(
    'DMS_TIMEOUT_MS',
    30_000,
    positiveMs,
    'Timeout of a DMS request. Above REQUEST_TIMEOUT_MS it has no effect on operations.',
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    60_000,
    positiveMs,
    'Timeout of an operation. For uploads and downloads: maximum idle time.',
  ),
  retries: integer('DMS_RETRIES', 2, [0, 10], 'Maximum number of retries of a failed read.'),
  connections: integer(
    'DMS_CONNECTIONS',
    128,
    [1, 10_000],
    'Maximum number of connections to the DMS.',
  ),
  connectionMaxAgeS: integer(
    'DMS_CONNECTION_MAX_AGE_S',
    0,
    [0, 86_400],
    'Age in seconds after which a connection is used for no further request. 0: no limit.',
  ),
  concurrency: integer(
    'DMS_CONCURRENCY',
    128,
    [1, 10_000],
    'Maximum number of concurrent DMS requests per operation.',
  ),
  dmsMaxResponseBytes: integer(
    'DMS_MAX_RESPONSE_BYTES',
    2 ** 23,
    [1024, 2 ** 28],
    'Maximum size of a DMS response except files, in bytes.',
  ),
  dmsCaFile: text(
    'DMS_CA_FILE',
    null,
    'Path of certificates (PEM) that are trusted for the DMS, in addition to those that Node trusts.',
  ),
  dmsClientCertFile: text(
    'DMS_CLIENT_CERT_FILE',
    null,
    'Path of the client certificate (PEM) for the DMS, followed by its intermediate certificates.',
  ),
  dmsClientKeyFile: text(
    'DMS_CLIENT_KEY_FILE',
    null,
    'Path of the private key (PEM) of the client certificate. Mandatory with DMS_CLIENT_CERT_FILE.',
  ),
  dmsClientKeyPassphrase: secret(
    text(
      'DMS_CLIENT_KEY_PASSPHRASE',
      null,
      'Passphrase of that private key. Unset: it is not encrypted.',
    ),
  ),
  dmsTlsServerName: optional(
    'DMS_TLS_SERVER_NAME',
    hostName,
    'Host name in the certificate of the DMS. Unset: that of DMS_URL.',
  ),
  httpsProxy: secret(
    optional(
      'HTTPS_PROXY',
      proxyUrl,
      'URL of the proxy for the DMS, the token issuer and the collector of traces, if their URLs begin with https://.',
    ),
  ),
  httpProxy: secret(optional('HTTP_PROXY', proxyUrl, 'The same if their URLs begin with http://.')),
  noProxy: text(
    'NO_PROXY',
    null,
    'Services without proxy, comma-separated: domains, addresses or networks (CIDR), optionally with a port, or `*`.',
  ),
  compression: onOff(
    'DMS_COMPRESSION',
    false,
    'Ask the DMS to compress its responses. Compressed responses are always decoded.',
  ),
  projection: onOff('DMS_PROJECTION', true, 'Request only the selected properties from the DMS.'),
  singleFlight: onOff('SINGLE_FLIGHT', true, 'Share identical concurrent reads between requests.'),
  cacheTtlMs: integer(
    'CACHE_TTL_MS',
    30_000,
    [0, maxDurationMs],
    'Lifetime of cached reference data. 0 disables the cache.',
  ),

  identityMode: oneOf(
    'IDENTITY',
    null,
    ['passthrough', 'service', 'jwt'],
    'Identity mode: passthrough, service or jwt. Unset: service with the sandbox, otherwise passthrough.',
  ),
  jwtSecret: secret(text('JWT_SECRET', null, 'Key of HS256 tokens (IDENTITY=jwt).')),
  jwtJwksUrl: optional(
    'JWT_JWKS_URL',
    httpUrl,
    'URL of the key set (JWKS) for RS, PS, ES and EdDSA tokens (IDENTITY=jwt).',
  ),
  jwtJwksCaFile: text('JWT_JWKS_CA_FILE', null, 'As DMS_CA_FILE, for the token issuer.'),
  jwtIssuer: text(
    'JWT_ISSUER',
    null,
    'Required value of the `iss` claim. Mandatory with JWT_JWKS_URL.',
  ),
  jwtAudience: text(
    'JWT_AUDIENCE',
    null,
    'Audience that the `aud` claim must contain. Mandatory with JWT_JWKS_URL.',
  ),
  jwtRunAsClaim: text('JWT_RUN_AS_CLAIM', 'email', 'Claim that identifies the user.'),
  authorization: secret(
    text('DMS_AUTHORIZATION', null, '`Authorization` header of the service account.', headerValue),
  ),
  accountId: text(
    'DMS_ACCOUNT_ID',
    null,
    'ID of a service account that signs each DMS request. Alternative to DMS_AUTHORIZATION.',
  ),
  accountKey: secret(
    text(
      'DMS_ACCOUNT_KEY',
      null,
      'Signing key of that account: a shared secret, or a PKCS 8 PEM key for RS256 and ES256.',
      anyText,
    ),
  ),
  accountAlgorithm: oneOf(
    'DMS_ACCOUNT_ALG',
    'HS256',
    ['HS256', 'HS384', 'HS512', 'RS256', 'ES256'],
    'Signature algorithm: HS256, HS384, HS512, RS256 or ES256.',
  ),
  fileUrlSecret: secret(
    text(
      'FILE_URL_SECRET',
      null,
      'Secret that signs file links. Must be the same on all replicas. Unset: a random secret.',
    ),
  ),
  fileUrlTtlS: integer('FILE_URL_TTL_S', 300, [1, 86_400], 'Lifetime of a file link, in seconds.'),

  maxUploadBytes: integer(
    'MAX_UPLOAD_BYTES',
    2 ** 30,
    [1, Number.MAX_SAFE_INTEGER],
    'Maximum size of a file, and of all files of a document, in bytes.',
  ),
  maxUploadFiles: integer(
    'MAX_UPLOAD_FILES',
    20,
    [1, 1000],
    'Maximum number of files per request.',
  ),
  maxBodyBytes: integer(
    'MAX_BODY_BYTES',
    2 ** 20,
    [1024, 2 ** 28],
    'Maximum size of a request without its files, in bytes.',
  ),
  maxDepth: integer('MAX_DEPTH', 12, [1, 1000], 'Maximum depth of fields in an operation.'),
  maxAliases: integer('MAX_ALIASES', 50, [0, 10_000], 'Maximum number of aliases in an operation.'),
  maxTokens: integer(
    'MAX_TOKENS',
    2000,
    [10, 100_000],
    'Maximum number of tokens in a query document, and of selections in an operation with expanded fragments.',
  ),
  maxRootFields: integer(
    'MAX_ROOT_FIELDS',
    20,
    [1, 10_000],
    'Maximum number of root fields in an operation.',
  ),
  maxDirectives: integer(
    'MAX_DIRECTIVES',
    50,
    [0, 10_000],
    'Maximum number of directives in an operation.',
  ),
  maxListFields: integer(
    'MAX_LIST_FIELDS',
    100_000,
    [1000, 100_000_000],
    'Maximum number of fields in all list items of a response.',
  ),
  maxRequests: integer(
    'MAX_REQUESTS',
    2000,
    [1, 1_000_000],
    'Maximum number of requests in progress. Health checks are answered beyond it.',
  ),
  maxResponseBytes: integer(
    'MAX_RESPONSE_BYTES',
    2 ** 24,
    [1024, 2 ** 28],
    'Maximum size of a response, in bytes.',
  ),
  maxUpstreamCalls: integer(
    'MAX_UPSTREAM_CALLS',
    500,
    [1, 1_000_000],
    'Maximum number of DMS requests per operation.',
  ),
  rateLimit: integer(
    'RATE_LIMIT',
    null,
    [1, 1_000_000],
    'Maximum number of DMS requests of one user per minute. Unset: no limit.',
  ),

  corsOrigins: list(
    'CORS_ORIGINS',
    origins,
    'Origins whose pages can call the gateway, comma-separated.',
  ),
  introspection: onOff('INTROSPECTION', true, 'Allow introspection of the schema.'),
  upstreamTrace: onOff(
    'UPSTREAM_TRACE',
    null,
    'List the DMS requests in the response if the client sends `x-upstream-trace: 1`. Unset: on, unless NODE_ENV=production.',
  ),
  workers: ofProcess(integer('WORKERS', 1, [1, 256], 'Number of worker processes.')),
  logLevel: oneOf('LOG_LEVEL', 'info', logLevels, `Minimum log level: ${logLevels.join(', ')}.`),
  dataDir: text('DATA_DIR', '.data', 'Data directory of the sandbox.'),
  shutdownTimeoutMs: integer(
    'SHUTDOWN_TIMEOUT_MS',
    10_000,
    [0, maxDurationMs],
    'How long a shutdown waits for running requests.',
  ),
} as const;
