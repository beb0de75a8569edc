/** @module-tag nightly */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { startInbox, unexpected } from './inbox.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

/** How far the content of a page reaches beyond its right edge, in pixels. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

it.each(['light', 'dark'] as const)(
  'passes axe in each state of the frame, %s',
  async (colorScheme) => {
    const gateway = await startInbox({ server: pollingEvery(300) });
    const proxy = await startTcpProxy(gateway.url);
    const move = (action: string) =>
      gateway.query(
        `mutation { moveDocument(input: { document: "DOC-0191", action: ${action} }) { __typename } }`,
      );
    const { page } = await visit(proxy.url);
    await page.emulateMedia({ colorScheme });
    const subscribed = page.waitForResponse(
      (response) => response.request().postDataJSON()?.operationName === 'WatchDocuments',
    );
    await page.goto(`${proxy.url}/app/views/inbox`);
    await subscribed;
    await page.getByText('of 26 documents').first().waitFor();
    await page.getByLabel('Language').selectOption('de');
    await move('SUSPEND');
    await move('RESUME');
    await page.getByRole('row').getByText('Aktualisiert').waitFor();
    await page.getByRole('button', { name: 'REST-Aufrufe' }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await proxy.stop();
    await page.getByRole('link', { name: 'Archiv' }).click();
    await page.getByRole('region', { name: 'Verbindung' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await proxy.start();
    await page.getByRole('region', { name: 'Verbindung' }).waitFor({ state: 'detached' });

    await page.goto(`${proxy.url}/app/documents/DOC-0191`);
    await page.getByRole('button', { name: 'Mit Kommentar …' }).click();
    await page.getByLabel('Kommentar').fill('Geprüft.');
    await move('SUSPEND');
    await page.getByRole('button', { name: 'Aktuelle Version anzeigen' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    await page.locator('p.notice', { hasText: 'Sie sehen die aktuelle Version' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  },
);

it.each(['blocked', 'full'])('works if the storage of the browser is %s', async (state) => {
  const { url } = await startInbox();
  const { page, complaints } = await visit(url);
  await page.addInitScript((state) => {
    const fail = (): never => {
      throw new DOMException('No storage.', 'SecurityError');
    };
    if (state === 'full') Storage.prototype.setItem = fail;
    else {
      Object.defineProperty(window, 'localStorage', { get: fail });
      Object.defineProperty(window, 'sessionStorage', { get: fail });
    }
  }, state);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('heading', { name: 'Eingang' }).waitFor();
  await page.getByLabel('Angemeldet als').selectOption('usr-ann');
  await page.getByText('von 18 Dokumenten').first().waitFor();
  await page.getByRole('link', { name: 'Archiv' }).click();
  await page.getByRole('heading', { name: 'Archiv' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Eingang' }).waitFor();
  expect(unexpected(complaints, url)).toEqual([]);
});

it('shows what is selected on a narrow screen', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.setViewportSize({ width: 360, height: 800 });
  const menu = page.getByRole('button', { name: 'Menu' });
  const isInside = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left >= 0 && right <= document.documentElement.clientWidth;
    });
  await page.goto(`${url}/app/views/archive`);
  const views = page.getByRole('navigation', { name: 'Views' });
  for (const view of await views.getByRole('link').all()) expect(await isInside(view)).toBe(true);
  await views.getByRole('link', { name: 'All documents' }).click();
  const current = views.getByRole('link', { name: 'All documents' });
  await expect.poll(() => isInside(current)).toBe(true);
  // A document is visible without scrolling.
  await page.getByText('of 200 documents').first().waitFor();
  const box = await page.getByRole('rowheader').first().boundingBox();
  expect(box!.y).toBeLessThan(800 / 3);
  await menu.click();
  await page.getByRole('button', { name: 'REST calls' }).click();
  expect(await isInside(page.getByRole('group', { name: 'Network latency' }))).toBe(true);
});

it('keeps titles of a list readable at each width', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/all?page=3`);
  for (const language of ['en', 'de']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Language').selectOption(language);
    for (const width of [1280, 1216, 1200, 1100, 1024, 1000, 900, 800, 769, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const title = await page.getByRole('rowheader').first().boundingBox();
      expect(title!.width, `${language}, ${width} px`).toBeGreaterThanOrEqual(192);
      expect(await overflowOf(page), `${language}, ${width} px`).toBe(0);
    }
  }
});

it('aligns both lines of a document beside its box on a narrow screen', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${url}/app/views/inbox`);
  const row = page.getByRole('row').filter({ hasText: 'RE-2026-0058' });
  const edges = await row.evaluate((element) => {
    const texts = element.querySelectorAll('th a, .document-row-id');
    return [...texts].map((text) => text.getBoundingClientRect().left);
  });
  expect(edges).toEqual([edges[0], edges[0]]);
  await page.goto(`${url}/app/documents/DOC-0191`);
  const file = page.getByRole('listitem').filter({ hasText: 'Rechnung RE-2026-0058.pdf' });
  const tops = await file.evaluate((element) =>
    [...element.querySelectorAll('button')].map((button) => button.getBoundingClientRect().top),
  );
  expect(tops).toEqual([tops[0], tops[0]]);
});

it('does not move the filter when the forms arrive', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName === 'Forms') await released;
    await route.continue();
  });
  await page.goto(`${url}/app/views/inbox`);
  const status = page.getByLabel('Status');
  const before = await status.boundingBox();
  release();
  await expect.poll(() => page.getByLabel('Form', { exact: true }).isEnabled()).toBe(true);
  expect(await status.boundingBox()).toEqual(before);
});

it('keeps text of double size inside a narrow page', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url, { fontSize: 32 });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('rowheader').first().waitFor();
  expect(await overflowOf(page)).toBe(0);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByText('finance', { exact: true }).waitFor();
  expect(await overflowOf(page)).toBe(0);
});

it('marks the current view and the durations of calls in forced colors', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${url}/app/views/archive`);
  await page.getByRole('row').nth(1).waitFor();
  const styleOf = (locator: Locator, property: string): Promise<string> =>
    locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const view = (name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
  expect(await styleOf(view('Archive'), 'text-decoration-line')).toBe('underline');
  expect(await styleOf(view('Inbox'), 'text-decoration-line')).toBe('none');
  await page.getByRole('button', { name: 'REST calls' }).click();
  const bar = page.locator('.rest-calls-bar').first();
  const canvas = await styleOf(page.locator('body'), 'background-color');
  expect(await styleOf(bar, 'background-color')).not.toBe(canvas);
});

it('keeps long texts inside the page, and numbers and words whole', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  const long = 'W'.repeat(300);
  const { data } = await query(
    `mutation ($input: CreateDocumentInput!) {
      createDocument(input: $input) { ... on CreateDocumentPayload { document { shortId } } }
    }`,
    { input: { form: 'memo', values: [{ tag: 'subject', text: long }], tags: ['x'.repeat(80)] } },
  );
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/app/documents/${data.createDocument.document.shortId}`);
    await page.getByText('x'.repeat(80)).waitFor();
    expect(await overflowOf(page)).toBe(0);
    await page.goto(`${url}/app/documents/DOC-0191`);
    const amount = page.getByRole('group', { name: 'Lines' }).getByText('1,134.00').first();
    await amount.waitFor();
    const linesOf = (locator: Locator): Promise<number> =>
      locator.evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      });
    expect(await linesOf(amount)).toBe(1);
    const table = page.getByRole('group', { name: 'Lines', exact: true });
    const words = table.getByRole('cell', { name: 'Toner cartridge', exact: true });
    expect(await linesOf(words)).toBeLessThanOrEqual(2);
    expect(await overflowOf(page)).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${url}/app/views/all`);
  await page.getByText(long).waitFor();
  const author = await page.getByRole('columnheader', { name: 'Author' }).boundingBox();
  expect(author!.width).toBeGreaterThan(100);
});
