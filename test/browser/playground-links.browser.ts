/** @module-tag nightly */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  callsOf,
  editorOf,
  execute,
  openPlayground,
  ready,
  resultOf,
  tabsOf,
  type,
} from './playground.ts';

const jonas = 'Jonas Berg · Sales';

/** Waits until the text is stored, which GraphiQL does after a while. */
const stored = (page: Page, text: string) =>
  page.waitForFunction((part) => sessionStorage.getItem('graphiql:tabState')?.includes(part), text);

/** Opens the page in another tab of the browser. */
async function openAnother(browser: BrowserContext, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await ready(page);
  return page;
}

describe('two tabs of the browser', () => {
  it('keep their operations, also after a reload, and a third begins with the last', async () => {
    const { page, browser, gateway } = await openPlayground();
    const url = `${gateway.url}/graphql`;
    const other = await openAnother(browser, url);
    await type(page, 'query First { viewer { runAs } }');
    await stored(page, 'First');
    await type(other, 'query Second { viewer { runAs } }');
    await stored(other, 'Second');
    await page.reload();
    await editorOf(page).getByText('query First').waitFor();
    expect(await tabsOf(page).allInnerTexts()).toEqual(['First']);
    await other.reload();
    await editorOf(other).getByText('query Second').waitFor();
    expect(await tabsOf(other).allInnerTexts()).toEqual(['Second']);
    const third = await openAnother(browser, url);
    await editorOf(third).getByText('query Second').waitFor();
  });
});

describe('a link', () => {
  const query =
    'query One { __typename } query Two($first: Int) { documents(view: INBOX, first: $first) { nodes { shortId } } }';

  it('opens the operation that it names with its variables, and none of the tab before', async () => {
    const { page, gateway, result } = await openPlayground();
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).focus();
    await page.keyboard.insertText('{ "first": 300 }');
    await stored(page, '300');
    const open = async (params: Record<string, string>) => {
      await page.goto(`${gateway.url}/graphql?${new URLSearchParams(params)}`);
      await ready(page);
    };
    await open({ query, variables: '{ "first": 2 }', operationName: 'Two' });
    const choice = page.getByRole('combobox', { name: 'Operation to run' });
    await expect.poll(() => choice.inputValue()).toBe('Two');
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.headers()['x-upstream-trace'] === '1'),
      page.keyboard.press('Control+Enter'), // the cursor is in the first operation
    ]);
    expect(request.postDataJSON()).toEqual({
      query,
      variables: { first: 2 },
      operationName: 'Two',
    });
    await result.getByText('"shortId"').first().waitFor();
    expect(page.url()).toBe(`${gateway.url}/graphql`); // a reload keeps what is changed here

    await open({ query: 'query Mine { viewer { runAs } }' });
    const [plain] = await Promise.all([
      page.waitForRequest((one) => one.headers()['x-upstream-trace'] === '1'),
      page.getByRole('button', { name: 'Run', exact: true }).click(),
    ]);
    expect(plain.postDataJSON()).toEqual({
      query: 'query Mine { viewer { runAs } }',
      operationName: 'Mine',
    });
  });

  it('is copied whole, and opens what was copied as the same person', async () => {
    const { page, browser, result } = await openPlayground();
    await browser.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Signed in as').selectOption({ label: jonas });
    await type(page, query);
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).focus();
    await page.keyboard.insertText('{ "first": 1 }');
    await page.getByRole('combobox', { name: 'Operation to run' }).selectOption('Two');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link is copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());

    const other = await openAnother(browser, link);
    expect(await editorOf(other).locator('.view-lines').innerText()).toContain('Two');
    await expect.poll(() => other.getByLabel('Signed in as').inputValue()).toBe('usr-jonas');
    await other.getByRole('button', { name: 'Run', exact: true }).click();
    await callsOf(other).getByText('/api/v2/docForm/view/inbox').waitFor();
    await other.getByRole('button', { name: /^REST calls: .*, as Jonas Berg$/ }).waitFor();
    await page.keyboard.insertText(' ');
    expect(await result.innerText()).not.toContain('shortId'); // nothing was run here
  });
});

describe('the person', () => {
  it('stays after a reload, and goes with the link to the inbox and back', async () => {
    const { page } = await openPlayground();
    await page.getByLabel('Signed in as').selectOption({ label: jonas });
    await page.reload();
    await ready(page);
    await expect.poll(() => page.getByLabel('Signed in as').inputValue()).toBe('usr-jonas');
    await execute(page, 'query Mine { viewer { runAs } }');
    await resultOf(page).getByText('"usr-jonas"').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await expect.poll(() => page.getByLabel('Signed in as').inputValue()).toBe('usr-jonas');
  });

  it('does not see the rows of another one, in any tab, however late they come', async () => {
    const { page, result } = await openPlayground();
    const inbox = 'query List { documents(view: INBOX, first: 3) { nodes { shortId } } }';
    await execute(page, inbox);
    await result.getByText('"DOC-0191"').waitFor();
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('cell', { name: 'DOC-0191' }).waitFor();
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.keyboard.insertText('query Other { document(id: "DOC-0191") { shortId } }');
    await page.keyboard.press('Control+Enter');
    await result.getByText('"DOC-0191"').waitFor();

    const people = page.getByLabel('Signed in as');
    await people.selectOption({ label: jonas });
    const start = page.getByRole('region', { name: 'The result appears here' });
    await start.waitFor();
    expect(await page.getByText('DOC-0191', { exact: false }).count()).toBe(1); // the query
    expect(await callsOf(page).count()).toBe(0);
    await tabsOf(page).filter({ hasText: 'List' }).click();
    await editorOf(page).getByText('query List').waitFor();
    await start.waitFor();
    expect(await page.getByText('DOC-0191').count()).toBe(0);

    const sent = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().headers()['x-upstream-trace'] === '1') {
        sent.resolve();
        await released.promise;
      }
      await route.continue().catch(() => {});
    });
    const responding = page.waitForResponse(
      (response) => response.request().headers()['x-upstream-trace'] === '1',
    );
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await sent.promise;
    await people.selectOption({ label: 'Service account' });
    released.resolve();
    await (await responding).finished();
    await start.waitFor();
    expect(await result.getByText('"shortId"').count()).toBe(0);
    expect(await callsOf(page).count()).toBe(0);
  });
});
