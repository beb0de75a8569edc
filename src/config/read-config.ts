import { createPrivateKey } from 'node:crypto';
import leven from 'leven';
import { isLoopback, type Credential, type IdentityMode } from '../model/identity.ts';
import type {
  Environment,
  NoSettings,
  Setting,
  SettingsTable,
  ValuesOf,
} from './setting-parsers.ts';
import { proxyFor } from './proxy-settings.ts';
import { settings } from './settings.ts';
import {
  coreServices,
  tlsFrom,
  tlsProblems,
  tlsWarnings,
  type ByTlsService,
  type TlsServices,
  type TlsSettings,
} from './tls-settings.ts';
import { messageOf } from '../model/common.ts';

/** Whether a variable has a value, valid or not. */
type IsSet = (name: string) => boolean;

/** What reads settings beside the core. */
export interface SettingsExtension<S extends SettingsTable = NoSettings> {
  /** Rows of the table of settings. */
  readonly settings?: S;
  /** Services whose certificates rows of the table can name, by their names in `Settings.tlsSettings`. */
  readonly tlsServices?: TlsServices;
  /** Combinations that prevent the start, one line each. They ask what is set: an invalid value is reported as well. */
  problems?(values: ValuesOf<typeof settings> & ValuesOf<S>, isSet: IsSet): readonly string[];
  /** Accepted but questionable combinations, one line each, for the log. */
  warnings?(settings: Settings & ValuesOf<S>, isSet: IsSet): readonly string[];
}

/** The rows of the core and of its extensions, in the order in which `--help` lists them. */
export function allSettings(extensions: readonly SettingsExtension[]): SettingsTable {
  return Object.assign({}, settings, ...extensions.map((extension) => extension.settings ?? {}));
}

export function secretFilesOf(table: SettingsTable): ReadonlyMap<string, string> {
  const secrets = Object.values(table).filter(({ isSecret }) => isSecret);
  return new Map(secrets.map(({ name }) => [`${name}_FILE`, name]));
}

/**
 * The validated settings of one process: every value of `settings`, and what is derived from several of them. It also
 * has those of the extensions, which know their types. The docs page settings.md describes the variables.
 */
export interface Settings extends ValuesOf<typeof settings> {
  readonly identity: IdentityMode;
  /** Null with `passthrough`, and with the embedded sandbox, which supplies its own credential. */
  readonly credential: Credential | null;
  readonly upstreamTrace: boolean;
  /** Null: the certificates that Node trusts, and no client certificate. */
  readonly tlsSettings: ByTlsService<TlsSettings | null>;
  /** The proxy for the DMS, with its credentials. Null: none. */
  readonly dmsProxy: string | null;
  /** Accepted but questionable settings, one line each, for the log. Contains no secret. */
  readonly warnings: readonly string[];
}

/** Invalid settings. The message names every one of them and contains no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The configuration file is not valid. The message names the file and what to change. */
export class GatewayConfigError extends Error {
  override readonly name = 'GatewayConfigError';
  /** The settings of the file, if they are not what is wrong. @internal */
  settings: object | null = null;
}

export function readConfig(
  env: Environment,
  extensions: readonly SettingsExtension[],
  found: ReadonlyMap<string, string> = new Map(),
): Settings {
  const problems = [...found.values()];
  const table = allSettings(extensions);
  const values = readAll(table, withoutSandbox(env, problems), problems);
  const services: TlsServices = Object.assign(
    {},
    coreServices,
    ...extensions.map(({ tlsServices }) => tlsServices),
  );
  // Rules between settings ask what is set, not what is valid: an invalid value must not hide what else is wrong.
  const isSet: IsSet = (name) =>
    (Boolean(env[name]) && !(name === 'DMS_URL' && env[name] === sandbox)) || found.has(name);
  const mode = values.identityMode ?? (isSet('DMS_URL') ? 'passthrough' : 'service');
  const identity = identityFrom(mode, values, isSet, problems);
  const credential =
    mode === 'passthrough'
      ? noCredential(isSet, problems)
      : credentialFrom(values, isSet, problems);
  if (credential === null && mode !== 'passthrough' && isSet('DMS_URL')) {
    problems.push(
      `DMS_AUTHORIZATION, or DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY, is required with IDENTITY=${mode}`,
    );
  }
  if (values.forwardHeaders.includes(values.runAsHeader.toLowerCase())) {
    problems.push('FORWARD_HEADERS must not contain DMS_RUN_AS_HEADER: it carries the user');
  }
  problems.push(...tlsProblems(services, table, isSet));
  for (const one of extensions) problems.push(...(one.problems?.(values, isSet) ?? []));
  if (problems.length > 0) {
    throw new ConfigError(`Invalid settings:\n  ${problems.join('\n  ')}`);
  }
  const read: Settings = {
    ...values,
    runAsHeader: values.runAsHeader.toLowerCase(),
    identity,
    credential,
    upstreamTrace: values.upstreamTrace ?? env['NODE_ENV'] !== 'production',
    tlsSettings: tlsFrom(services, table, values),
    dmsProxy: proxyFor(values.dmsUrl, values),
    warnings: [],
  };
  const warnings = [
    ...keyWarnings(read),
    ...ineffectiveSettings(read, isSet),
    ...tlsWarnings(services, table, values),
    ...sandboxWarnings(read),
    ...networkWarnings(env, read),
    ...misspeltSettings(env, table),
    ...extensions.flatMap((extension) => extension.warnings?.(read, isSet) ?? []),
  ];
  return { ...read, warnings };
}

const sandbox = 'sandbox';

/** In production, the sandbox must be asked for: with all rights, it would serve data that are none. */
function withoutSandbox(env: Environment, problems: string[]): Environment {
  if (!env['DMS_URL'] && env['NODE_ENV'] === 'production') {
    problems.push(
      'DMS_URL is required with NODE_ENV=production. DMS_URL=sandbox asks for the embedded sandbox',
    );
  }
  return env['DMS_URL'] === sandbox ? { ...env, DMS_URL: undefined } : env;
}

const secureKeyBytes = 32; // the minimum key size of HS256 (RFC 7518, 3.2) and a full-strength HMAC-SHA256 key

export function shortKeyWarnings(name: string, key: string | null, output: string): string[] {
  if (key === null || Buffer.byteLength(key) >= secureKeyBytes) return [];
  return [`${name} is shorter than ${secureKeyBytes} bytes: ${output} can be enough to recover it`];
}

function keyWarnings({ identity, dmsUrl, jwtSecret, fileUrlSecret }: Settings): string[] {
  const warnings: string[] = [];
  // The token issuer chose this key, and the operator of the gateway may be unable to change it: a warning, not an
  // error.
  if (identity.mode === 'jwt')
    warnings.push(...shortKeyWarnings('JWT_SECRET', jwtSecret, 'one token'));
  if (identity.mode === 'passthrough') return warnings;
  warnings.push(...shortKeyWarnings('FILE_URL_SECRET', fileUrlSecret, 'one link'));
  if (fileUrlSecret === null && dmsUrl !== null) {
    warnings.push(
      'FILE_URL_SECRET is not set: file links are valid only on this replica and only until it restarts',
    );
  }
  return warnings;
}

/** Settings that have no effect because of another one. A default value is not a mistake of the operator. */
function ineffectiveSettings(values: Settings, isSet: IsSet): string[] {
  if (!isSet('DMS_TIMEOUT_MS') || values.dmsTimeoutMs <= values.requestTimeoutMs) return [];
  return [
    'DMS_TIMEOUT_MS is above REQUEST_TIMEOUT_MS: operations end before a DMS request reaches its timeout',
  ];
}

function sandboxWarnings(values: Settings): string[] {
  const setting = openedBy(values);
  if (values.dmsUrl !== null || values.identity.mode !== 'service' || setting === null) return [];
  return [`${setting} opens the sandbox: every client can act as its service account`];
}

export function openedBy({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): string | null {
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname))
    return `PUBLIC_URL=${publicUrl}`;
  return isLoopback(host) ? null : `HOST=${host}`;
}

const unusedProxyVariables = ['NODE_USE_ENV_PROXY', 'ALL_PROXY', 'all_proxy'];

/** Variables of Node and others that an operator expects to work, or that are insecure. Proxies can have passwords. */
function networkWarnings(env: Environment, { dmsUrl, jwtJwksUrl }: Settings): string[] {
  const warnings: string[] = [];
  const proxies = unusedProxyVariables.filter((name) => env[name]);
  if (proxies.length > 0 && (dmsUrl ?? jwtJwksUrl) !== null) {
    warnings.push(
      `${proxies.join(', ')} ${proxies.length === 1 ? 'has' : 'have'} no effect: set HTTPS_PROXY or HTTP_PROXY`,
    );
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    warnings.push(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 accepts every certificate: whoever controls the network can read credentials and documents. For a private authority, set DMS_CA_FILE or NODE_EXTRA_CA_CERTS to its file',
    );
  }
  return warnings;
}

/** Says of a name that it is not a setting, and which one it means, if it differs as `suggestionFor` says. */
export function unknownSetting(name: string, table: SettingsTable): string {
  return `${name} is not a setting${suggestionFor(name, namesOf(table))}`;
}

function namesOf(table: SettingsTable): string[] {
  return Object.values(table).map(({ name }) => name);
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ['DMS_TOKEN', 'DMS_AUTHORIZATION'],
  ['DMS_API_KEY', 'DMS_AUTHORIZATION'],
  ['DMS_PASSWORD', 'DMS_AUTHORIZATION'],
  ['RATELIMIT', 'RATE_LIMIT'],
]);

export function suggestionFor(name: string, known: readonly string[]): string {
  const meant =
    otherNames.get(name) ??
    known.find((one) => isTypingError(withoutUnit(name), withoutUnit(one))) ??
    known.find((one) => singular(one) === singular(name));
  return meant === undefined ? '' : `: did you mean ${meant}?`;
}

function misspeltSettings(env: Environment, table: SettingsTable): string[] {
  const names = [...namesOf(table), ...secretFilesOf(table).keys()];
  const longWords = names.filter((name) => name.length > 7 && !name.includes('_'));
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || names.includes(name)) return [];
    // Short names and other single words are too likely to be variables of other programs.
    if (name.length < 6) return [];
    const suggestion = suggestionFor(name, name.includes('_') ? names : longWords);
    return suggestion === '' ? [] : [`${name} is not a setting${suggestion}`];
  });
}

function singular(name: string): string {
  return name.replace(/IES$/, 'Y').replace(/S$/, '');
}

function withoutUnit(name: string): string {
  return name.replace(/_(?:MS|S|SEC|SECONDS|BYTES|[KMG]I?B)$/, '');
}

function isTypingError(one: string, other: string): boolean {
  const distance = leven(one, other, { maxDistance: 3 });
  const lettersOf = (text: string): string => Array.from(text).toSorted().join('');
  return distance <= 1 || (distance === 2 && lettersOf(one) === lettersOf(other));
}

function readAll(
  table: SettingsTable,
  env: Environment,
  problems: string[],
): ValuesOf<typeof settings> {
  const readOne = ({ name, read, fallback }: Setting<unknown>): unknown => {
    const value = env[name];
    if (value === undefined || value === '') return fallback;
    try {
      return read(value);
    } catch (error) {
      problems.push(`${name} ${messageOf(error)}`);
      return fallback;
    }
  };
  const entries = Object.entries(table).map(([key, setting]) => [key, readOne(setting)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value is what the setting of its key reads
  return Object.fromEntries(entries) as ValuesOf<typeof settings>;
}

function identityFrom(
  mode: IdentityMode['mode'],
  values: ValuesOf<typeof settings>,
  isSet: IsSet,
  problems: string[],
): IdentityMode {
  if (mode !== 'jwt') {
    // With `service`, the operator would believe that tokens are verified.
    if (isSet('JWT_SECRET') || isSet('JWT_JWKS_URL')) {
      problems.push('IDENTITY must be jwt if JWT_SECRET or JWT_JWKS_URL is set');
    }
    return { mode };
  }
  const { jwtSecret: secret, jwtJwksUrl: jwksUrl, jwtIssuer: issuer } = values;
  const { jwtAudience: audience, jwtRunAsClaim: runAsClaim } = values;
  if (isSet('JWT_SECRET') === isSet('JWT_JWKS_URL')) {
    problems.push('JWT_SECRET or JWT_JWKS_URL is required with IDENTITY=jwt, but not both');
  }
  // A key set signs tokens for many services. Without issuer and audience, the gateway would accept a token issued for
  // another one.
  if (isSet('JWT_JWKS_URL') && !isSet('JWT_ISSUER'))
    problems.push('JWT_ISSUER is required with JWT_JWKS_URL');
  if (isSet('JWT_JWKS_URL') && !isSet('JWT_AUDIENCE')) {
    problems.push('JWT_AUDIENCE is required with JWT_JWKS_URL');
  }
  const jwksProxy = proxyFor(jwksUrl, values);
  return { mode, secret, jwksUrl, jwksProxy, issuer, audience, runAsClaim };
}

/** A credential that is not used is an error: the operator expects the gateway to authenticate with it. */
function noCredential(isSet: IsSet, problems: string[]): null {
  if (['DMS_AUTHORIZATION', 'DMS_ACCOUNT_ID', 'DMS_ACCOUNT_KEY'].some(isSet)) {
    problems.push(
      'IDENTITY must be service or jwt if DMS_AUTHORIZATION, DMS_ACCOUNT_ID or DMS_ACCOUNT_KEY is set',
    );
  }
  return null;
}

function credentialFrom(
  values: ValuesOf<typeof settings>,
  isSet: IsSet,
  problems: string[],
): Credential | null {
  const { authorization, accountId, accountKey, accountAlgorithm } = values;
  const hasId = isSet('DMS_ACCOUNT_ID');
  const hasKey = isSet('DMS_ACCOUNT_KEY');
  if (isSet('DMS_AUTHORIZATION')) {
    if (hasId || hasKey) {
      problems.push('DMS_AUTHORIZATION cannot be combined with DMS_ACCOUNT_ID and DMS_ACCOUNT_KEY');
    }
    return { kind: 'fixed', authorization: authorization ?? '' };
  }
  if (!hasId && !hasKey) return null;
  if (!hasId) problems.push('DMS_ACCOUNT_ID is required with DMS_ACCOUNT_KEY');
  if (!hasKey) problems.push('DMS_ACCOUNT_KEY is required with DMS_ACCOUNT_ID');
  const key = signingKey(accountKey ?? '', accountAlgorithm, problems);
  return { kind: 'signed', accountId: accountId ?? '', key, algorithm: accountAlgorithm };
}

function signingKey(text: string, algorithm: string, problems: string[]): string {
  if (algorithm.startsWith('HS') || text === '') return text;
  const pem = text.replaceAll('\\n', '\n'); // environment files hold a PEM key on one line
  try {
    const type = createPrivateKey(pem).asymmetricKeyType;
    if (type === (algorithm === 'RS256' ? 'rsa' : 'ec')) return pem;
  } catch {
    // Reported below.
  }
  problems.push(`DMS_ACCOUNT_KEY must be a PKCS 8 PEM key for DMS_ACCOUNT_ALG=${algorithm}`);
  return pem;
}
