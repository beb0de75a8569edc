import { forwardedNames, headerName, headerValue } from './header-settings.ts';
import { limitSettings } from './limit-settings.ts';
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
const anyText = { pattern: /^[^\0]+$/, must: 'must not contain a NUL character' };
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * The settings of the core, by who needs them. `--help` and docs/settings.md list them in this order, then those of the
 * features. A key of `groups` in print-settings.ts begins each group.
 */
export const settings = {
  dmsUrl: optional(
    'DMS_URL',
    httpUrl,
    'Base URL of the DMS, optionally with a path. `sandbox`, and unset unless NODE_ENV=production: the embedded sandbox.',
    'in production',
  ),
  identityMode: oneOf(
    'IDENTITY',
    null,
    ['passthrough', 'service', 'jwt'],
    'Identity mode: passthrough, service or jwt. Unset: service with the sandbox, otherwise passthrough.',
    'if clients have no credentials of the DMS',
  ),
  authorization: secret(
    text(
      'DMS_AUTHORIZATION',
      null,
      '`Authorization` header of the service account.',
      'with IDENTITY=service or jwt',
      headerValue,
    ),
  ),
  jwtJwksUrl: optional(
    'JWT_JWKS_URL',
    httpUrl,
    'URL of the key set (JWKS) for RS, PS, ES and EdDSA tokens.',
    'with IDENTITY=jwt',
  ),
  jwtIssuer: text('JWT_ISSUER', null, 'Required value of the `iss` claim.', 'with JWT_JWKS_URL'),
  jwtAudience: text(
    'JWT_AUDIENCE',
    null,
    'Audience that the `aud` claim must contain.',
    'with JWT_JWKS_URL',
  ),
  host: text(
    'HOST',
    '127.0.0.1',
    'Address to listen on.',
    'to 0.0.0.0 for clients on other machines, which the image does',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    httpUrl,
    'Public base URL of the gateway. Unset: derived from the `Host` header.',
    'for a host name or a proxy',
  ),
  fileUrlSecret: secret(
    text(
      'FILE_URL_SECRET',
      null,
      'Secret that signs file links. Must be the same on all replicas. Unset: a random secret.',
      'for several replicas, or links that outlive a restart',
    ),
  ),
  corsOrigins: list(
    'CORS_ORIGINS',
    origins,
    'Origins whose pages can call the gateway, comma-separated.',
    'for a front end of another origin',
  ),

  port: integer(
    'PORT',
    4000,
    [0, 65_535],
    'Port to listen on. 0 selects a free port.',
    'if the port is taken',
  ),
  allowedHosts: list(
    'ALLOWED_HOSTS',
    hostNames,
    'Additional host names of the gateway, comma-separated. `*` allows any host name.',
    'for names besides that of PUBLIC_URL',
  ),
  workers: ofProcess(
    integer('WORKERS', 1, [1, 256], 'Number of worker processes.', 'to use several cores (Linux)'),
  ),
  shutdownTimeoutMs: integer(
    'SHUTDOWN_TIMEOUT_MS',
    10_000,
    [0, maxDurationMs],
    'How long a shutdown waits for running requests.',
    'for long uploads and downloads',
  ),
  logLevel: oneOf(
    'LOG_LEVEL',
    'info',
    logLevels,
    `Minimum log level: ${logLevels.join(', ')}.`,
    'to log less, or more while you look for a fault',
  ),

  jwtSecret: secret(
    text('JWT_SECRET', null, 'Key of HS256 tokens.', 'with IDENTITY=jwt, in place of JWT_JWKS_URL'),
  ),
  jwtJwksCaFile: text(
    'JWT_JWKS_CA_FILE',
    null,
    'As DMS_CA_FILE, for the token issuer.',
    'for a private certificate authority',
  ),
  jwtRunAsClaim: text(
    'JWT_RUN_AS_CLAIM',
    'email',
    'Claim that identifies the user.',
    'if tokens name the user elsewhere',
  ),
  accountId: text(
    'DMS_ACCOUNT_ID',
    null,
    'ID of a service account that signs each DMS request.',
    'in place of DMS_AUTHORIZATION',
  ),
  accountKey: secret(
    text(
      'DMS_ACCOUNT_KEY',
      null,
      'Signing key of that account: a shared secret, or a PKCS 8 PEM key for RS256 and ES256.',
      'with DMS_ACCOUNT_ID',
      anyText,
    ),
  ),
  accountAlgorithm: oneOf(
    'DMS_ACCOUNT_ALG',
    'HS256',
    ['HS256', 'HS384', 'HS512', 'RS256', 'ES256'],
    'Signature algorithm: HS256, HS384, HS512, RS256 or ES256.',
    'if the account has another algorithm',
  ),
  runAsHeader: text(
    'DMS_RUN_AS_HEADER',
    'svc-run-as',
    'Name of the header that carries the user of a request.',
    'if the DMS calls it otherwise',
    headerName,
  ),
  forwardHeaders: list(
    'FORWARD_HEADERS',
    forwardedNames,
    'Names of request headers that the DMS receives, comma-separated.',
    'if the DMS needs headers of clients',
  ),
  fileUrlTtlS: integer(
    'FILE_URL_TTL_S',
    300,
    [1, 86_400],
    'Lifetime of a file link, in seconds.',
    'for downloads and videos that pause',
  ),

  dmsCaFile: text(
    'DMS_CA_FILE',
    null,
    'Path of certificates (PEM) that are trusted for the DMS, in addition to those that Node trusts.',
    'for a private certificate authority',
  ),
  dmsClientCertFile: text(
    'DMS_CLIENT_CERT_FILE',
    null,
    'Path of the client certificate (PEM) for the DMS, followed by its intermediate certificates.',
    'if the DMS requires a client certificate',
  ),
  dmsClientKeyFile: text(
    'DMS_CLIENT_KEY_FILE',
    null,
    'Path of the private key (PEM) of the client certificate.',
    'with DMS_CLIENT_CERT_FILE',
  ),
  dmsClientKeyPassphrase: secret(
    text(
      'DMS_CLIENT_KEY_PASSPHRASE',
      null,
      'Passphrase of that private key.',
      'if that key is encrypted',
    ),
  ),
  dmsTlsServerName: optional(
    'DMS_TLS_SERVER_NAME',
    hostName,
    'Host name in the certificate of the DMS.',
    'if it is not that of DMS_URL',
  ),
  httpsProxy: secret(
    optional(
      'HTTPS_PROXY',
      proxyUrl,
      'URL of the proxy for the DMS, the token issuer and the collector of traces, if their URLs begin with https://.',
      'if only a proxy reaches them',
    ),
  ),
  httpProxy: secret(
    optional(
      'HTTP_PROXY',
      proxyUrl,
      'The same if their URLs begin with http://.',
      'as HTTPS_PROXY',
    ),
  ),
  noProxy: text(
    'NO_PROXY',
    null,
    'Services without proxy, comma-separated: domains, addresses or networks (CIDR), optionally with a port, or `*`.',
    'if some are reached directly',
  ),
  connectionMaxAgeS: integer(
    'DMS_CONNECTION_MAX_AGE_S',
    0,
    [0, 86_400],
    'Age in seconds after which a connection is used for no further request. 0: no limit.',
    'if the DMS moves while its old address still answers',
  ),
  compression: onOff(
    'DMS_COMPRESSION',
    false,
    'Ask the DMS to compress its responses. Compressed responses are always decoded.',
    'for large pages over a slow link',
  ),
  projection: onOff(
    'DMS_PROJECTION',
    true,
    'Request only the selected properties from the DMS.',
    'to off, if the DMS misreads `fields`',
  ),

  dmsTimeoutMs: integer(
    'DMS_TIMEOUT_MS',
    30_000,
    positiveMs,
    'Timeout of a DMS request. Above REQUEST_TIMEOUT_MS it has no effect on operations.',
    'if the DMS is slower',
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    60_000,
    positiveMs,
    'Timeout of an operation. For uploads and downloads: maximum idle time.',
    'with the times of the proxy in front',
  ),
  retries: integer(
    'DMS_RETRIES',
    2,
    [0, 10],
    'Maximum number of retries of a failed read.',
    'to 0, if a busy DMS must not get more requests',
  ),
  connections: integer(
    'DMS_CONNECTIONS',
    128,
    [1, 10_000],
    'Maximum number of connections to the DMS.',
    'if calls wait and the DMS has capacity',
  ),
  concurrency: integer(
    'DMS_CONCURRENCY',
    128,
    [1, 10_000],
    'Maximum number of concurrent DMS requests per operation.',
    'if single operations load the DMS too much',
  ),
  singleFlight: onOff(
    'SINGLE_FLIGHT',
    true,
    'Share identical concurrent reads between requests.',
    'to off, to compare',
  ),
  cacheTtlMs: integer(
    'CACHE_TTL_MS',
    30_000,
    [0, maxDurationMs],
    'Lifetime of cached reference data. 0 disables the cache.',
    'if changes must appear sooner, or can later',
  ),

  ...limitSettings,

  introspection: onOff(
    'INTROSPECTION',
    true,
    'Allow introspection of the schema.',
    'to off, if all clients are your own',
  ),
  upstreamTrace: onOff(
    'UPSTREAM_TRACE',
    null,
    'List the DMS requests in the response if the client sends `x-upstream-trace: 1`. Unset: on, unless NODE_ENV=production.',
    'to on, to find slow queries in production',
  ),
  dataDir: text(
    'DATA_DIR',
    '.data',
    'Data directory of the sandbox.',
    'to keep its data elsewhere',
  ),
} as const;
