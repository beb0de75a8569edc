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

interface DmsTlsValues {
  readonly dmsUrl: string | null;
  readonly dmsCaFile: string | null;
  readonly dmsClientCertFile: string | null;
  readonly dmsClientKeyFile: string | null;
  readonly dmsClientKeyPassphrase: string | null;
  readonly dmsTlsServerName: string | null;
}

const dmsKeys = [
  'dmsCaFile',
  'dmsClientCertFile',
  'dmsClientKeyFile',
  'dmsClientKeyPassphrase',
  'dmsTlsServerName',
] as const;

/** The certificates for the DMS. Null if no setting names any, or the DMS is not reached over TLS. */
export function dmsTlsFrom(values: DmsTlsValues): TlsSettings | null {
  if (!isHttps(values.dmsUrl) || dmsKeys.every((key) => values[key] === null)) return null;
  const file = (key: (typeof dmsKeys)[number]): NamedFile | null => {
    const path = values[key];
    return path === null ? null : { name: settings[key].name, path };
  };
  return {
    service: 'the DMS',
    ca: file('dmsCaFile'),
    certificate: file('dmsClientCertFile'),
    key: file('dmsClientKeyFile'),
    passphrase: values.dmsClientKeyPassphrase,
    serverName: values.dmsTlsServerName,
  };
}

/** Certificate and key are of no use without each other. */
export function dmsTlsProblems(isSet: (name: string) => boolean): string[] {
  const required = [
    [settings.dmsClientKeyFile.name, settings.dmsClientCertFile.name],
    [settings.dmsClientCertFile.name, settings.dmsClientKeyFile.name],
    [settings.dmsClientKeyFile.name, settings.dmsClientKeyPassphrase.name],
  ] as const;
  return required.flatMap(([name, by]) =>
    isSet(by) && !isSet(name) ? [`${name} is required with ${by}`] : [],
  );
}

/** Settings for TLS while the DMS is reached without. */
export function dmsTlsWarnings(values: DmsTlsValues): string[] {
  if (isHttps(values.dmsUrl)) return [];
  const names = dmsKeys.filter((key) => values[key] !== null).map((key) => settings[key].name);
  if (names.length === 0) return [];
  const verb = names.length === 1 ? 'has' : 'have';
  return [`${names.join(', ')} ${verb} no effect: DMS_URL does not begin with https://`];
}

function isHttps(url: string | null): boolean {
  return url?.startsWith('https://') ?? false;
}
