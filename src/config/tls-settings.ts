import type { Setting } from './setting-parsers.ts';
import { settings } from './settings.ts';

/** A file that a setting names. */
export interface NamedFile {
  /** The setting, such as `DMS_CA_FILE`. */
  readonly name: string;
  readonly path: string;
}

/** The certificates of the connections to one service. */
export interface TlsSettings {
  /** The service in messages, such as `the DMS`. */
  readonly service: string;
  /** Certificates that are trusted in addition to those of Node. */
  readonly ca: NamedFile | null;
  /** Set together with `key`. */
  readonly certificate: NamedFile | null;
  readonly key: NamedFile | null;
  readonly passphrase: string | null;
  /** The name in the certificate of the service. Null: the host of its URL. */
  readonly serverName: string | null;
}

/** The settings that are texts. */
type TextKey = {
  [K in keyof typeof settings]: (typeof settings)[K] extends Setting<string | null> ? K : never;
}[keyof typeof settings];

type Values = Readonly<Record<TextKey, string | null>>;

/** What can be set for a service. Certificate and key are of no use without each other. */
interface ServiceSettings {
  readonly service: string;
  readonly url: TextKey;
  /** How the URL begins if the service is reached over TLS. */
  readonly scheme: string;
  readonly keys: { readonly [K in Exclude<keyof TlsSettings, 'service'>]?: TextKey };
}

const services = {
  dms: {
    service: 'the DMS',
    url: 'dmsUrl',
    scheme: 'https://',
    keys: {
      ca: 'dmsCaFile',
      certificate: 'dmsClientCertFile',
      key: 'dmsClientKeyFile',
      passphrase: 'dmsClientKeyPassphrase',
      serverName: 'dmsTlsServerName',
    },
  },
  issuer: {
    service: 'the token issuer',
    url: 'jwtJwksUrl',
    scheme: 'https://',
    keys: { ca: 'jwtJwksCaFile' },
  },
  redis: {
    service: 'Redis',
    url: 'redisUrl',
    scheme: 'rediss://',
    keys: { ca: 'redisCaFile', certificate: 'redisClientCertFile', key: 'redisClientKeyFile' },
  },
} as const satisfies Readonly<Record<string, ServiceSettings>>;

/** A service whose certificates can be set. */
export type TlsService = keyof typeof services;

const allServices: readonly ServiceSettings[] = Object.values(services);

/**
 * The certificates for a service. Null if no setting names any, or the service is not reached over TLS.
 */
export function tlsFrom(of: TlsService, values: Values): TlsSettings | null {
  const { service, keys }: ServiceSettings = services[of];
  if (!usesTls(services[of], values) || keysThatAreSet(services[of], values).length === 0) {
    return null;
  }
  const valueOf = (key: TextKey | undefined): string | null => (key && values[key]) ?? null;
  const file = (key: TextKey | undefined): NamedFile | null => {
    const path = valueOf(key);
    return key === undefined || path === null ? null : { name: settings[key].name, path };
  };
  return {
    service,
    ca: file(keys.ca),
    certificate: file(keys.certificate),
    key: file(keys.key),
    passphrase: valueOf(keys.passphrase),
    serverName: valueOf(keys.serverName),
  };
}

/** Settings that are required with others. */
export function tlsProblems(isSet: (name: string) => boolean): string[] {
  return allServices.flatMap(({ keys: { certificate, key, passphrase } }) => {
    const required = [
      [key, certificate],
      [certificate, key],
      [key, passphrase],
    ] as const;
    return required.flatMap(([needed, by]) => {
      if (needed === undefined || by === undefined) return [];
      const [name, byName] = [settings[needed].name, settings[by].name];
      return isSet(byName) && !isSet(name) ? [`${name} is required with ${byName}`] : [];
    });
  });
}

/** Settings for TLS of services that are reached without. */
export function tlsWarnings(values: Values): string[] {
  return allServices.flatMap((one) => {
    const names = keysThatAreSet(one, values).map((key) => settings[key].name);
    if (usesTls(one, values) || names.length === 0) return [];
    const verb = names.length === 1 ? 'has' : 'have';
    const url = settings[one.url].name;
    return [`${names.join(', ')} ${verb} no effect: ${url} does not begin with ${one.scheme}`];
  });
}

function keysThatAreSet({ keys }: ServiceSettings, values: Values): TextKey[] {
  return Object.values(keys).filter((key) => values[key] !== null);
}

function usesTls({ url, scheme }: ServiceSettings, values: Values): boolean {
  return values[url]?.startsWith(scheme) ?? false;
}
