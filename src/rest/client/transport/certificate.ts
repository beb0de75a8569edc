import type { X509Certificate } from 'node:crypto';
import { printable } from '../../../model/common.ts';

/** A certificate of a file. */
export interface DescribedCertificate {
  /** Its file, subject and last day. */
  readonly text: string;
  /** Why it is probably rejected, such as `it has expired`. Null if nothing is wrong with it. */
  readonly problem: string | null;
}

/** Subject and last day of a certificate. */
export function describeCertificate({ subject, validToDate }: X509Certificate): string {
  const text = (subject ?? 'no subject').split('\n').join(', ').slice(0, 200);
  return `${printable(text)}, valid until ${dayOf(validToDate)}`;
}

/** The day of a date in UTC, such as `2026-11-26`. */
export function dayOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'an invalid date' : date.toISOString().slice(0, 10);
}
