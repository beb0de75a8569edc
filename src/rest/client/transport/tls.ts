import type { X509Certificate } from 'node:crypto';
import { nodeCodeOf, printable } from '../../../model/common.ts';

/** Whether a connection failed because the certificate of the service is not trusted. Nothing was sent to it. */
export function isUntrustedError(error: unknown): boolean {
  const code = codeOf(error);
  if (code.startsWith('ERR_') && !code.startsWith('ERR_TLS_CERT_')) return false;
  return /^UNABLE_TO_|CERT|CRL|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  );
}

/**
 * Whether the service rejected the client certificate, or the lack of one. With TLS 1.3 a client can receive this alert
 * after its request has been written. The service has not read that, because the handshake is incomplete (RFC 8446,
 * 4.4.2.4 and 6.2).
 */
export function isClientCertificateAlert(error: unknown): boolean {
  const alerts =
    /_ALERT_(?:(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/;
  return alerts.test(codeOf(error));
}

export const certificateProblems = {
  missing: 'it requires a client certificate',
  rejected: 'it rejects the client certificate',
} as const;

/** The reason in a page of nginx, which accepts each connection and rejects its requests. Null in any other. */
export function certificateProblemIn(page: string): string | null {
  if (page.includes('No required SSL certificate was sent')) return certificateProblems.missing;
  return page.includes('The SSL certificate error') ? certificateProblems.rejected : null;
}

export function isTlsError(error: unknown): boolean {
  return isUntrustedError(error) || /^ERR_(?:SSL|TLS)_/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const code = nodeCodeOf(error);
  return typeof code === 'string' ? code : '';
}

export interface DescribedCertificate {
  readonly text: string;
  readonly problem: string | null;
}

export function describeCertificate({ subject, validTo }: X509Certificate): string {
  const text = (subject ?? 'no subject').split('\n').join(', ').slice(0, 200);
  return `${printable(text)}, valid until ${dayOf(new Date(validTo))}`;
}

export function dayOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'an invalid date' : date.toISOString().slice(0, 10);
}
