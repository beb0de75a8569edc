import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileLinks } from '../../../src/server/files/file-links.ts';

const path = '/files/documents/a/b';
const fileUrlTtlS = 300;
const ann = { runAs: 'usr-ann' };
const account = { runAs: null };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('another secret', () => {
  it('signs new links, and keeps the previous ones until they expire', () => {
    const links = createFileLinks({ fileUrlSecret: 'first', fileUrlTtlS });
    const before = links.sign(path, ann);
    links.replaceSecret('second');
    const after = links.sign(path, ann);
    expect(after).not.toBe(before);
    expect(links.verify(path, before)).toMatchObject(ann);
    expect(links.verify(path, after)).toMatchObject(ann);
    expect(
      createFileLinks({ fileUrlSecret: 'second', fileUrlTtlS }).verify(path, after),
    ).toMatchObject(ann);
    vi.advanceTimersByTime(fileUrlTtlS * 1000);
    expect(() => links.verify(path, before)).toThrow('has expired');
  });

  it('ends the use of the previous one a minute after its links expire', () => {
    const links = createFileLinks({ fileUrlSecret: 'first', fileUrlTtlS });
    const other = createFileLinks({ fileUrlSecret: 'first', fileUrlTtlS });
    links.replaceSecret('second');
    vi.advanceTimersByTime(fileUrlTtlS * 1000 + 59_999);
    expect(links.verify(path, other.sign(path, account))).toMatchObject(account);
    vi.advanceTimersByTime(1);
    expect(() => links.verify(path, other.sign(path, account))).toThrow('is not valid');
  });

  it('ends the use of the one before the previous one', () => {
    const links = createFileLinks({ fileUrlSecret: 'first', fileUrlTtlS });
    const before = links.sign(path, account);
    links.replaceSecret('second');
    links.replaceSecret('third');
    expect(() => links.verify(path, before)).toThrow('is not valid');
  });
});
