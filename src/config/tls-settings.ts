import type { SettingsTable } from './setting-parsers.ts';

export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

export interface TlsSettings {
  readonly service: string;
  readonly ca: NamedFile | null;
  readonly certificate: NamedFile | null;
  readonly key: NamedFile | null;
  readonly passphrase: string | null;
  readonly serverName: string | null;
}

interface ServiceSettings {
  readonly service: string;
  readonly url: string;
  readonly scheme: string;
  readonly keys: { readonly [K in Exclude<keyof TlsSettings, 'service'>]?: string };
}

export type TlsServices = Readonly<Record<string, ServiceSettings>>;

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

export type ByTlsService<T> = Readonly<Record<keyof typeof coreServices, T>> &
  Readonly<Record<string, T>>;

type UntypedSettings = Readonly<Record<string, unknown>>;

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
