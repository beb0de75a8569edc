import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { HttpError } from '../errors/http-error.ts';

/** Signs links to files, so that a plain link works in a browser for a while, for one user and one file. */
export interface FileLinks {
  sign(path: string, runAs: string | null): string;
  /** The user that a token was made for. @throws {HttpError} 403 for a forged, expired or borrowed one */
  verify(path: string, token: string): string | null;
}

export interface FileLinkOptions {
  /** Null: a random one; then a link works only on the replica that made it, and until it restarts. */
  readonly fileUrlSecret: string | null;
  readonly fileUrlTtlS: number;
}

const clockSkewMs = 60_000; // between replicas

/** Tokens are `<expiry in s, base 36>.<user, base64url>.<HMAC-SHA256 of both and the path, base64url>`. */
export function createFileLinks({ fileUrlSecret, fileUrlTtlS }: FileLinkOptions): FileLinks {
  const secret = fileUrlSecret ?? randomBytes(32);
  const macOf = (path: string, expiry: string, user: string): Buffer =>
    createHmac('sha256', secret).update(`file-link 1\n${expiry}\n${user}\n${path}`).digest();

  return {
    sign(path, runAs) {
      const expiry = (Math.floor(Date.now() / 1000) + fileUrlTtlS).toString(36);
      const user = Buffer.from(runAs ?? '').toString('base64url');
      return `${expiry}.${user}.${macOf(path, expiry, user).toString('base64url')}`;
    },
    verify(path, token) {
      const [, expiry = '', user = '', mac = ''] =
        /^([\da-z]{1,10})\.([\w-]{0,400})\.([\w-]{43})$/.exec(token) ?? [];
      const expected = macOf(path, expiry, user);
      const given = Buffer.from(mac, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new HttpError(403, 'FORBIDDEN', 'The file link is not valid.');
      }
      // A link of a clock that was ahead would otherwise work until the clock is there again.
      const leftMs = Number.parseInt(expiry, 36) * 1000 - Date.now();
      if (leftMs <= 0 || leftMs > fileUrlTtlS * 1000 + clockSkewMs) {
        throw new HttpError(
          403,
          'FORBIDDEN',
          'The file link has expired. Query the `url` field again.',
        );
      }
      return user === '' ? null : Buffer.from(user, 'base64url').toString();
    },
  };
}
