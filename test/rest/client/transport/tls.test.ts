import { describe, expect, it } from 'vitest';
import {
  isClientCertificateAlert,
  isTlsError,
  isUntrustedError,
} from '../../../../src/rest/client/transport/tls.ts';

const errorWith = (code: string) => Object.assign(new Error(code), { code });

describe('the error of a connection', () => {
  it.each([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CRL_HAS_EXPIRED',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
    'HOSTNAME_MISMATCH',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('%s means that the service is not trusted', (code) => {
    expect(isUntrustedError(errorWith(code))).toBe(true);
    expect(isTlsError(errorWith(code))).toBe(true);
    expect(isClientCertificateAlert(errorWith(code))).toBe(false);
  });

  it.each([
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', // since OpenSSL 3.2
    'ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
  ])('%s means that the service rejects the client certificate', (code) => {
    expect(isClientCertificateAlert(errorWith(code))).toBe(true);
    expect(isTlsError(errorWith(code))).toBe(true);
    expect(isUntrustedError(errorWith(code))).toBe(false);
  });

  it.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'])(
    '%s concerns TLS, and no certificate',
    (code) => {
      expect(isTlsError(errorWith(code))).toBe(true);
      expect(isClientCertificateAlert(errorWith(code))).toBe(false);
      expect(isUntrustedError(errorWith(code))).toBe(false);
    },
  );

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_SOCKET'])(
    '%s does not concern TLS',
    (code) => {
      expect(isTlsError(errorWith(code))).toBe(false);
      expect(isTlsError(new Error(code))).toBe(false);
    },
  );
});
