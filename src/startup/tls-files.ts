import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { readTextFile } from '../config/setting-sources.ts';
import type { NamedFile, TlsSettings } from '../config/tls-settings.ts';
import { messageOf, nodeCodeOf } from '../model/common.ts';
import {
  dayOf,
  describeCertificate,
  type DescribedCertificate,
  isTlsError,
  type TlsSource,
} from '../rest/index.ts';
import type { Log } from '../server/telemetry/log.ts';

interface Contents {
  readonly context: SecureContext;
  readonly texts: Readonly<Record<string, string>>;
  readonly certificates: readonly DescribedCertificate[];
}

const maxFileBytes = 2 ** 20;

const readIntervalMs = 60_000;

/**
 * The certificates of the settings. The files, which have some kilobytes, are read again once a minute and by `reload`.
 * Files that cannot be used change nothing then.
 */
export class TlsFiles implements TlsSource {
  readonly serverName: string | null;
  readonly #log: Pick<Log, 'write'>;
  #settings: TlsSettings;
  #contents: Contents | null;
  readonly #reported = new Set<string>();

  /** @throws {Error} naming a file that cannot be used */
  constructor(settings: TlsSettings, log: Pick<Log, 'write'>) {
    this.serverName = settings.serverName;
    this.#log = log;
    this.#settings = settings;
    this.#contents = readContents(settings);
    if (this.#contents !== null) setInterval(() => this.#read(), readIntervalMs).unref();
  }

  get hasClientCertificate(): boolean {
    return this.#settings.certificate !== null;
  }

  get context(): SecureContext | undefined {
    return this.#contents?.context;
  }

  get certificates(): readonly DescribedCertificate[] {
    return this.#contents?.certificates ?? [];
  }

  get warnings(): readonly string[] {
    return this.certificates.flatMap(({ text, problem }) =>
      problem === null ? [] : `${text}: ${problem}`,
    );
  }

  failed(error: Error): void {
    if (!isTlsError(error)) return;
    this.#report(`TLS connection to ${this.#settings.service} failed`, String(nodeCodeOf(error)));
  }

  succeeded(): void {
    this.#reported.clear();
  }

  reload(passphrase: string | null = null): void {
    this.#reported.clear();
    // Kept if the files cannot be used yet: they can be complete before the next reading.
    if (passphrase !== null) this.#settings = { ...this.#settings, passphrase };
    this.#read();
  }

  #read(): void {
    try {
      const texts = this.#contents?.texts ?? {};
      const next = readContents(this.#settings, texts);
      if (next === null) return;
      const changed = Object.keys(texts).filter((name) => next.texts[name] !== texts[name]);
      this.#contents = next;
      this.#reported.clear();
      this.#log.write('info', 'TLS files reloaded', { changed });
      for (const warning of this.warnings) this.#log.write('warn', warning);
    } catch (error) {
      this.#report('TLS files not reloaded', messageOf(error));
    }
  }

  #report(message: string, reason: string): void {
    const line = `${message}: ${reason}`;
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.#log.write('warn', message, {
      reason,
      certificates: this.certificates.map(({ text }) => text),
    });
  }
}

function readContents(settings: TlsSettings, known?: Contents['texts']): Contents | null {
  const { ca, certificate, key, passphrase } = settings;
  const files = [ca, certificate, key].filter((file) => file !== null);
  if (files.length === 0) return null;
  const texts: Record<string, string> = {};
  for (const file of files) texts[file.name] = readNamed(file);
  const isKnown = files.every(({ name }) => known?.[name] === texts[name]);
  if (isKnown) return null;
  const authorities = ca === null ? [] : readCertificates(ca, texts[ca.name]!);
  const chain = certificate === null ? [] : readCertificates(certificate, texts[certificate.name]!);
  if (certificate !== null && key !== null) {
    checkKey(readKey(key, texts[key.name]!, passphrase), { key, certificate, chain });
  }
  return {
    context: createContext(settings, texts),
    texts,
    certificates: [
      ...authorities.map((one) => ({ text: describe(ca!, one), problem: validityProblem(one) })),
      ...chain.map((one, index) => ({
        text: describe(certificate!, one),
        problem: validityProblem(one) ?? (index === 0 ? selfSignedProblem(one) : null),
      })),
    ],
  };
}

function readNamed({ name, path }: NamedFile): string {
  try {
    return readTextFile(path, maxFileBytes);
  } catch (cause) {
    throw new Error(`${name} ${messageOf(cause)}`, { cause });
  }
}

const pemCertificate =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----(?:[^-]+-----END (?:X509 |TRUSTED )?CERTIFICATE-----)?/g;

function readCertificates({ name, path }: NamedFile, text: string): X509Certificate[] {
  const blocks = text.match(pemCertificate) ?? [];
  if (blocks.length === 0) throw new Error(`${name} contains no certificate in PEM: ${path}`);
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw new Error(`${name}: certificate ${index + 1} cannot be read: ${path}`, { cause });
    }
  });
}

function readKey({ name, path }: NamedFile, text: string, passphrase: string | null): KeyObject {
  try {
    return createPrivateKey({ key: text, passphrase: passphrase ?? '' });
  } catch (cause) {
    const isEncrypted = text.includes('ENCRYPTED');
    const problem = !isEncrypted
      ? 'contains no private key in PEM'
      : passphrase === null
        ? 'is encrypted, and no passphrase is set'
        : 'cannot be decrypted with the passphrase';
    throw new Error(`${name} ${problem}: ${path}`, { cause });
  }
}

interface KeyPair {
  readonly key: NamedFile;
  readonly certificate: NamedFile;
  readonly chain: readonly X509Certificate[];
}

function checkKey(privateKey: KeyObject, { key, certificate, chain }: KeyPair): void {
  const [own] = chain;
  if (own === undefined || own.checkPrivateKey(privateKey)) return;
  throw new Error(`${key.name} is not the key of ${describe(certificate, own)}: ${key.path}`);
}

/** From the certificates alone: OpenSSL ignores what it cannot read in a text. */
function createContext(
  { ca, certificate, key, passphrase }: TlsSettings,
  texts: Contents['texts'],
): SecureContext {
  const blocksOf = ({ name }: NamedFile): readonly string[] => texts[name]!.match(pemCertificate)!;
  const names = [ca, certificate, key].flatMap((file) => file?.name ?? []);
  try {
    return createSecureContext({
      ...(ca !== null && {
        ca: [...getCACertificates('default'), ...blocksOf(ca)],
        allowPartialTrustChain: true, // an intermediate certificate can be trusted without its root
      }),
      ...(certificate !== null &&
        key !== null && { cert: blocksOf(certificate).join('\n'), key: texts[key.name]! }),
      ...(passphrase !== null && { passphrase }),
    });
  } catch (cause) {
    const reason = String(nodeCodeOf(cause));
    throw new Error(`${names.join(', ')} cannot be used: ${reason}`, { cause });
  }
}

function describe({ name, path }: NamedFile, certificate: X509Certificate): string {
  return `${name}: ${describeCertificate(certificate)}, ${path}`;
}

function validityProblem(certificate: X509Certificate): string | null {
  // Node's `validToDate` is any date if this text is none.
  const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  if (Number.isNaN(from.getTime() + to.getTime())) return 'its dates are invalid';
  if (to.getTime() < Date.now()) return 'it has expired';
  if (from.getTime() <= Date.now()) return null;
  return `it is not valid before ${dayOf(from)}`;
}

function selfSignedProblem(certificate: X509Certificate): string | null {
  return certificate.checkIssued(certificate) ? 'it is self-signed' : null;
}
