import type { SecureVersion } from 'node:tls';
import { vi } from 'vitest';
import type { TlsSettings } from '../../src/config/tls-settings.ts';
import type { Log } from '../../src/server/telemetry/log.ts';
import { TlsFiles } from '../../src/startup/tls-files.ts';
import { readCertificate, type Certificate, type PrivateAuthority } from './certificates.ts';
import { sendPlain, startDirectionsDms } from './directions.ts';

/** The certificates of a client, as the settings name them. */
export function tlsFilesOf(
  ca: string,
  client: Certificate | null = null,
  serverName: string | null = null,
): { readonly tls: TlsFiles; readonly write: ReturnType<typeof vi.fn<Log['write']>> } {
  const settings: TlsSettings = {
    service: 'the DMS',
    ca: { name: 'DMS_CA_FILE', path: ca },
    certificate: client && { name: 'DMS_CLIENT_CERT_FILE', path: client.cert },
    key: client && { name: 'DMS_CLIENT_KEY_FILE', path: client.key },
    passphrase: null,
    serverName,
  };
  const write = vi.fn<Log['write']>();
  return { tls: new TlsFiles(settings, { write }), write };
}

/** A DMS that requires a client certificate of `authority`. */
export function startStrictDms(authority: PrivateAuthority, maxVersion: SecureVersion = 'TLSv1.3') {
  return startDirectionsDms(sendPlain, {
    ...readCertificate(authority.issue()),
    ca: readCertificate(authority).cert,
    requestCert: true,
    maxVersion,
  });
}
