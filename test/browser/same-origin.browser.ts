import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { startInbox } from './inbox.ts';

it('answers a plain GET request of its own pages, as the default client of urql sends it', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  const answer = await page.evaluate(async (query) => {
    const response = await fetch(`/graphql?query=${encodeURIComponent(query)}`);
    return (await response.json()) as unknown;
  }, '{ viewer { runAs } }');
  expect(answer).toEqual({ data: { viewer: { runAs: null } } });
});
