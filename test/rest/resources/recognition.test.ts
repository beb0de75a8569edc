import { expect, it } from 'vitest';
import { createMockDms, testDms } from '../../helpers/mock-dms.ts';

const path = '/api/v2/idp/d1/text';

it.each([
  ['text/plain;charset=UTF-8', 'Größe'],
  ['text/plain', '<html> is how the document begins'],
  [undefined, 'text'],
])('returns recognized text of type %s', async (type, text) => {
  const headers: Record<string, string> = { 'x-total-count': '3' };
  if (type !== undefined) headers['content-type'] = type;
  const mock = createMockDms().reply('GET', path, text, { headers });
  expect(await testDms(mock).recognition.text('d1')).toEqual({ text, page: null, totalCount: 3 });
  expect(mock.received[0]?.headers).toMatchObject({ accept: 'text/plain' });
});

it.each(['text/html', 'text/html; charset=utf-8', 'Application/XHTML+XML'])(
  'rejects a page of %s as recognized text',
  async (type) => {
    const mock = createMockDms().reply('GET', path, '<html>Sign in</html>', {
      headers: { 'content-type': type },
    });
    await expect(testDms(mock).recognition.text('d1')).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      status: 200,
      got: `20 bytes of ${type}`,
    });
  },
);

it('rejects partial recognized text', async () => {
  const mock = createMockDms().reply('GET', path, 'te', { status: 206 });
  await expect(testDms(mock).recognition.text('d1')).rejects.toMatchObject({
    code: 'UPSTREAM_ERROR',
    status: 206,
  });
});
