import {
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import type { Settings } from '../../config/read-config.ts';
import type { LinkCaller } from '../identity/index.ts';
import { forbidden } from '../errors/http-error.ts';

export type FileLinks = ReturnType<typeof createFileLinks>;

export type FileLinkOptions = Pick<Settings, 'fileUrlSecret' | 'fileUrlTtlS'>;

const clockSkewMs = 60_000; // between replicas

export function createFileLinks({ fileUrlSecret, fileUrlTtlS }: FileLinkOptions) {
  let key = createSecretKey(Buffer.from(fileUrlSecret ?? randomBytes(32)));
  let previous: { readonly key: KeyObject; readonly untilMs: number } | null = null;
  const macOf = (by: KeyObject, path: string, expiry: string, user: string): Buffer =>
    createHmac('sha256', by).update(`file-link 1\n${expiry}\n${user}\n${path}`).digest();

  return {
    replaceSecret(secret: string): void {
      previous = { key, untilMs: Date.now() + fileUrlTtlS * 1000 + clockSkewMs };
      key = createSecretKey(Buffer.from(secret));
    },
    sign(path: string, caller: LinkCaller): string {
      const expiry = (Math.floor(Date.now() / 1000) + fileUrlTtlS).toString(36);
      const user = Buffer.from(textOf(caller)).toString('base64url');
      return `${expiry}.${user}.${macOf(key, path, expiry, user).toString('base64url')}`;
    },
    verify(path: string, token: string): LinkCaller {
      const [, expiry = '', user = '', mac = ''] =
        /^([\da-z]{1,10})\.([\w-]{0,8000})\.([\w-]{43})$/.exec(token) ?? [];
      const given = Buffer.from(mac, 'base64url');
      const keys = previous !== null && Date.now() < previous.untilMs ? [key, previous.key] : [key];
      const isSigned = keys.some((by) => {
        const expected = macOf(by, path, expiry, user);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      if (!isSigned) {
        throw forbidden('The file link is not valid.');
      }
      // A token from a replica whose clock was ahead would otherwise be valid for longer than its lifetime.
      const leftMs = Number.parseInt(expiry, 36) * 1000 - Date.now();
      if (leftMs <= 0 || leftMs > fileUrlTtlS * 1000 + clockSkewMs) {
        throw forbidden('The file link has expired. Query the `url` field again.');
      }
      return callerOf(Buffer.from(user, 'base64url').toString());
    },
  };
}

function textOf({ runAs, forwarded = {} }: LinkCaller): string {
  const user = runAs ?? '';
  return Object.keys(forwarded).length === 0 ? user : `${user}\n${JSON.stringify(forwarded)}`;
}

function callerOf(text: string): LinkCaller {
  const [user = '', headers = '{}'] = text.split('\n');
  return { runAs: user || null, forwarded: JSON.parse(headers) as Record<string, string> };
}
