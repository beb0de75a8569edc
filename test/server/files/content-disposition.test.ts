import { describe, expect, it } from 'vitest';
import { attachmentOf } from '../../../src/server/files/content-disposition.ts';

describe('attachmentOf', () => {
  const cases: readonly [string, string | undefined, string][] = [
    ['no header', undefined, 'attachment'],
    ['no name', 'inline', 'attachment'],
    ['a plain name', 'inline; filename="a b.pdf"', 'attachment; filename="a b.pdf"'],
    [
      'spaces without quotes',
      'attachment; filename=a b.pdf; size=5',
      'attachment; filename="a b.pdf"',
    ],
    [
      'an extended name',
      "attachment; filename*=UTF-8''Rechnung%20%E2%82%AC.pdf",
      'attachment; filename="Rechnung _.pdf"; filename*=UTF-8\'\'Rechnung%20%E2%82%AC.pdf',
    ],
    [
      'both',
      'attachment; filename="x.pdf"; filename*=utf-8\'en\'%C3%A4.pdf',
      "attachment; filename=_.pdf; filename*=UTF-8''%C3%A4.pdf",
    ],
    [
      'UTF-8 read as Latin-1',
      'attachment; filename="Ã¤.txt"',
      "attachment; filename=_.txt; filename*=UTF-8''%C3%A4.txt",
    ],
    [
      'a line break',
      "attachment; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.txt",
      'attachment; filename="a__Set-Cookie: x.txt"',
    ],
    [
      'a path',
      "attachment; filename*=UTF-8''..%2F..%5Cetc%2Fpasswd",
      'attachment; filename=passwd',
    ],
    ['only dots', 'attachment; filename=".."', 'attachment'],
    [
      'a name with text direction characters',
      "x; filename*=UTF-8''a%E2%80%AEfdp.exe",
      'attachment; filename=a_fdp.exe',
    ],
    [
      'a broken escape',
      'attachment; filename*=UTF-8\'\'%zz; filename="b.txt"',
      'attachment; filename=b.txt',
    ],
    [
      'a name in ISO 8859-1',
      "attachment; filename*=ISO-8859-1''na%EFve%A3.txt",
      "attachment; filename=na_ve_.txt; filename*=UTF-8''na%C3%AFve%C2%A3.txt",
    ],
    [
      'a name in another character set',
      "attachment; filename*=gbk''%CE%C4.txt",
      "attachment; filename=_.txt; filename*=UTF-8''%E6%96%87.txt",
    ],
    [
      'a name in an unknown character set',
      'attachment; filename*=x-none\'\'%CE%C4.txt; filename="b.txt"',
      'attachment; filename=b.txt',
    ],
    [
      'bytes that are not of the character set',
      'attachment; filename*=UTF-8\'\'na%EFve.txt; filename="b.txt"',
      'attachment; filename=b.txt',
    ],
    [
      'an empty extended name after a plain one',
      'attachment; filename="b.txt"; filename*=UTF-8\'\'',
      'attachment; filename=b.txt',
    ],
    ['no usable name', 'attachment; filename*=UTF-8\'\'; filename=""', 'attachment'],
    [
      'a name that is not encoded',
      "attachment; filename*=UTF-8''my file; 100%.pdf",
      'attachment; filename="my file; 100_.pdf"; filename*=UTF-8\'\'my%20file%3B%20100%25.pdf',
    ],
    [
      'a name before another parameter',
      "attachment; filename*=UTF-8''my file.pdf ; size=5",
      'attachment; filename="my file.pdf"',
    ],
  ];
  it.each(cases)('builds an attachment from %s', (_what, upstream, expected) => {
    expect(attachmentOf(upstream)).toBe(expected);
  });
});
