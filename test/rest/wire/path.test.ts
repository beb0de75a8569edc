import { describe, expect, it } from 'vitest';
import { queryString, pathSegment } from '../../../src/rest/wire/path.ts';
import type { Dms } from '../../../src/rest/dms.ts';
import { createMockDms, testDms } from '../../helpers/mock-dms.ts';

const hostile = [
  '',
  ' ',
  '\u00a0\u2028',
  '.',
  '..',
  '../person',
  'a/b',
  'a\\b',
  'a%2fb',
  'a%2E',
  '100%25',
  'a\u0000b',
  'a\r\nb',
  'a\u007fb',
  'a\u0085b',
  'x'.repeat(257),
  '\ud800',
  'a\udc00',
];

const byId: readonly [string, (dms: Dms, id: string) => Promise<unknown>][] = [
  ['documents.get', (dms, id) => dms.documents.get(id, new Set())],
  ['documents.move', (dms, id) => dms.documents.move({ documentId: id, action: 'BLOCK' })],
  [
    'documents.respond',
    (dms, id) => dms.documents.respond({ documentId: 'a', responseId: id, action: 'SIGN' }),
  ],
  [
    'documents.create',
    (dms, id) => dms.documents.create({ formName: id }, (async function* () {})()),
  ],
  ['documents.file', (dms, id) => dms.documents.file(id, 'f', {})],
  ['documents.file, file', (dms, id) => dms.documents.file('a', id, {})],
  ['documentResponses.get', (dms, id) => dms.documentResponses.get(id)],
  ['organizations.get', (dms, id) => dms.organizations.get(id)],
  ['organizations.remove', (dms, id) => dms.organizations.remove(id)],
  ['listValues.get', (dms, id) => dms.listValues.get(id)],
  ['listValues.inDirectory', (dms, id) => dms.listValues.inDirectory(id)],
  ['forms.get', (dms, id) => dms.forms.get(id)],
  ['persons.get', (dms, id) => dms.persons.get(id)],
  ['orgUnits.get', (dms, id) => dms.orgUnits.get(id)],
  ['recognition.text', (dms, id) => dms.recognition.text(id)],
  ['recognition.pdf', (dms, id) => dms.recognition.pdf(id, {})],
  ['recognition.file', (dms, id) => dms.recognition.file('a', id, 'f', {})],
];

it.each(byId)('%s sends nothing for an unsafe ID', async (_name, call) => {
  const mock = createMockDms();
  for (const id of hostile) {
    await expect(call(testDms(mock), id)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  }
  expect(mock.requests).toEqual([]);
});

describe('segment', () => {
  it('names no request if it rejects an ID', () => {
    expect(() => pathSegment('a/b')).toThrow(/^BAD_USER_INPUT: expected a valid ID$/);
  });

  it('encodes valid characters of an ID', () => {
    expect(pathSegment('unit0a1b')).toBe('unit0a1b');
    expect(pathSegment('ООО-1"<>')).toBe('%D0%9E%D0%9E%D0%9E-1%22%3C%3E');
    expect(pathSegment('a+b=c:d@e')).toBe('a%2Bb%3Dc%3Ad%40e');
    expect(pathSegment('...')).toBe('...');
    expect(pathSegment('Müller & Söhne, #7?')).toBe('M%C3%BCller%20%26%20S%C3%B6hne%2C%20%237%3F');
    expect(pathSegment('№ 5;100 %')).toBe('%E2%84%96%205%3B100%20%25');
    expect(pathSegment('نمی‌دانم')).toBe(encodeURIComponent('نمی‌دانم'));
    expect(pathSegment('😀'.repeat(128))).toBe('%F0%9F%98%80'.repeat(128));
  });
});

describe('query', () => {
  it('encodes values and omits undefined ones', () => {
    expect(queryString({ a: 'x&y=z', b: undefined, c: ['p q', 'ü'], d: 0, e: false })).toBe(
      '?a=x%26y%3Dz&c=p%20q,%C3%BC&d=0&e=false',
    );
    expect(queryString({ a: undefined })).toBe('');
  });

  it.each(['a,b', '', 'a\nb', 'a\u0085b'])('rejects the list member %j', (member) => {
    expect(() => queryString({ tags: ['ok', member] })).toThrow(
      'BAD_USER_INPUT: expected non-empty list entries without commas and control characters',
    );
  });

  it('rejects a list member with an unpaired surrogate', () => {
    expect(() => queryString({ tags: ['ok', '\ud800'] })).toThrow(
      'BAD_USER_INPUT: expected well-formed Unicode',
    );
  });
});
