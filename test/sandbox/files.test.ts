import { describe, expect, it } from 'vitest';
import { sharedSandbox, seeded } from './helpers.ts';

const dms = sharedSandbox();

const text = async (query: string) => {
  const response = await dms.fetch(`/api/v2/idp/DOC-0009/text${query}`);
  return { headers: response.headers, text: await response.text(), status: response.status };
};

it('attachments are found only in their document', async () => {
  for (const at of [
    `DOC-0003/file/${seeded.file(2, 1)}`,
    `DOC-0002/file/${seeded.file(2, 9)}`,
    `DOC-0001/file/${seeded.file(1, 8)}`,
    'DOC-0002/file/..%2F..%2Fsandbox.sqlite',
  ]) {
    expect((await dms.call(`/api/v2/docForm/${at}`)).status).toBe(404);
  }
});

describe('recognition', () => {
  it('returns the text by page and in total', async () => {
    const whole = await text('');
    expect(whole.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(whole.headers.get('x-total-count')).toBe('3');
    const pages = await Promise.all(['?page=0', '?page=1', '?page=2'].map(text));
    expect(pages.map((page) => page.text)).toEqual(whole.text.split('\f'));
    expect(pages[1]?.text).toContain('Terms of payment');
    expect(pages[1]?.headers.get('x-total-count')).toBe('3');
    expect((await text('?page=3')).status).toBe(404);
    expect((await text('?page=-1')).status).toBe(400);
    expect((await text('?page=x')).status).toBe(400);
  });

  it('returns 404 for a document without text', async () => {
    for (const what of ['text', 'pdf']) {
      expect((await dms.call(`/api/v2/idp/DOC-0003/${what}`)).status).toBe(404);
      expect((await dms.call(`/api/v2/idp/DOC-0001/${what}`, { as: 'usr-jonas' })).status).toBe(
        404,
      );
    }
  });
});
