import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { startInbox, unexpected } from './inbox.ts';

interface TracedResponse {
  readonly extensions: { readonly upstream: readonly { readonly route: string }[] };
}

it('lists exactly the REST calls behind the last operation', async () => {
  const { url } = await startInbox();
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  const answer = page.waitForResponse(
    (response) => response.request().postDataJSON()?.operationName === 'DocumentList',
  );
  await page.getByRole('link', { name: 'Next' }).click();
  const { extensions } = (await (await answer).json()) as TracedResponse;
  expect(extensions.upstream.length).toBeGreaterThan(1); // the page, and its authors
  await page.getByText('21 to 26 of 26 documents').first().waitFor();

  const button = page.getByRole('button', { name: 'REST calls' });
  await button.focus();
  await page.keyboard.press('Enter');
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  const drawer = page.getByRole('region', { name: 'REST calls' });
  const calls = drawer.getByRole('rowheader').locator('code');
  const routes = extensions.upstream.map(({ route }) => route);
  expect((await calls.allInnerTexts()).toSorted()).toEqual(routes.toSorted());
  expect(await drawer.locator('.call-table-bar').count()).toBe(routes.length);
  await drawer.getByText(`Calls of DocumentList: ${routes.length} in `).waitFor();

  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

  // The calls of a person are not shown to another one.
  await page.getByLabel('Signed in as').selectOption('usr-carlos');
  await page.getByText('of 2 documents').first().waitFor();
  await button.click();
  const options = await drawer.getByRole('option').allInnerTexts();
  expect(options.filter((text) => text.includes('DocumentList'))).toHaveLength(1);
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});

it('says so if the gateway does not report its calls', async () => {
  const { url } = await startInbox({ server: { upstreamTrace: false } });
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  await page.getByRole('button', { name: 'REST calls' }).click();
  await page.getByText('The gateway has not reported any calls.').waitFor();
  expect(await page.getByRole('rowheader').locator('code').count()).toBe(0);
});
