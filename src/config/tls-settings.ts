import type { SettingsTable } from './setting-parsers.ts';

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

/** What can be set for a service. Certificate and key are of no use without each other. */
interface ServiceSettings {
  /** The service in messages, such as `the DMS`. */
  readonly service: string;
  /** The key of its URL in the table of settings. */
  readonly url: string;
  /** How the URL begins if the service is reached over TLS. */
  readonly scheme: string;
  /** The keys of the other settings in the table. All of them are texts. */
  readonly keys: { readonly [K in Exclude<keyof TlsSettings, 'service'>]?: string };
}

/** Services by their names in the code. */
export type TlsServices = Readonly<Record<string, ServiceSettings>>;

/** Those of the core. */
export const coreServices = {
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
} as const satisfies TlsServices;

/** A value for each service, by its name. Those of the core are known. */
export type ByTlsService<T> = Readonly<Record<keyof typeof coreServices, T>> &
  Readonly<Record<string, T>>;

type UntypedSettings = Readonly<Record<string, unknown>>;

/**
 * The certificates for each service. Null if no setting names any, or the service is not reached over TLS.
 */
export function tlsFrom(
  services: TlsServices,
  table: SettingsTable,
  values: UntypedSettings,
): ByTlsService<TlsSettings | null> {
  const found = Object.entries(services).map(([name, one]) => [
    name,
    usesTls(one, values) && keysThatAreSet(one, values).length > 0
      ? settingsOf(one, table, values)
      : null,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the services of the core are among them
  return Object.fromEntries(found) as ByTlsService<TlsSettings | null>;
}

function settingsOf(
  { service, keys }: ServiceSettings,
  table: SettingsTable,
  values: UntypedSettings,
): TlsSettings {
  const file = (key: string | undefined): NamedFile | null => {
    const path = textOf(values, key);
    return key === undefined || path === null ? null : { name: nameOf(key, table), path };
  };
  return {
    service,
    ca: file(keys.ca),
    certificate: file(keys.certificate),
    key: file(keys.key),
    passphrase: textOf(values, keys.passphrase),
    serverName: textOf(values, keys.serverName),
  };
}

/** Settings that are required with others. */
export function tlsProblems(
  services: TlsServices,
  table: SettingsTable,
  isSet: (name: string) => boolean,
): string[] {
  return Object.values(services).flatMap(({ keys: { certificate, key, passphrase } }) => {
    const required = [
      [key, certificate],
      [certificate, key],
      [key, passphrase],
    ] as const;
    return required.flatMap(([needed, by]) => {
      if (needed === undefined || by === undefined) return [];
      const [name, byName] = [nameOf(needed, table), nameOf(by, table)];
      return isSet(byName) && !isSet(name) ? [`${name} is required with ${byName}`] : [];
    });
  });
}

/** Settings for TLS of services that are reached without. */
export function tlsWarnings(
  services: TlsServices,
  table: SettingsTable,
  values: UntypedSettings,
): string[] {
  return Object.values(services).flatMap((one) => {
    const names = keysThatAreSet(one, values).map((key) => nameOf(key, table));
    if (usesTls(one, values) || names.length === 0) return [];
    const verb = names.length === 1 ? 'has' : 'have';
    const url = nameOf(one.url, table);
    return [`${names.join(', ')} ${verb} no effect: ${url} does not begin with ${one.scheme}`];
  });
}

function nameOf(key: string, table: SettingsTable): string {
  return table[key]!.name;
}

function textOf(values: UntypedSettings, key: string | undefined): string | null {
  const value = key === undefined ? null : values[key];
  return typeof value === 'string' ? value : null;
}

function keysThatAreSet({ keys }: ServiceSettings, values: UntypedSettings): string[] {
  return Object.values(keys).filter((key) => textOf(values, key) !== null);
}

function usesTls({ url, scheme }: ServiceSettings, values: UntypedSettings): boolean {
  return textOf(values, url)?.startsWith(scheme) ?? false;
}
