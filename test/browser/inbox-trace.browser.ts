/** @module-tag nightly */
import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { startInbox, unexpected } from './inbox.ts';

interface Call {
  readonly route: string;
  readonly path: string;
}

/** Collects the operations that a page sends, and the REST calls that the gateway reports for queries. */
function watchOperations(page: Page) {
  const operations: { name: string; calls: Promise<readonly Call[]> }[] = [];
  page.on('response', (response) => {
    const name = response.request().postDataJSON()?.operationName as string | undefined;
    if (name !== undefined) operations.push({ name, calls: callsOf(response) });
  });
  return operations;
}

/** The calls behind a response, whose last part has them. Empty for a subscription, which does not end. */
async function callsOf(response: Response): Promise<readonly Call[]> {
  if (response.request().postData()?.includes('subscription')) return [];
  const text = await response.text().catch(() => ''); // the page has left
  const [, calls] = /"upstream":(\[.*?\}\])/s.exec(text) ?? [];
  return calls === undefined ? [] : (JSON.parse(calls) as Call[]);
}

const drawerOf = (page: Page) => page.getByRole('region', { name: 'REST calls', exact: true });

it('lists exactly the REST calls behind each operation', async () => {
  const { url } = await startInbox();
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  const operations = watchOperations(page);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('21 to 26 of 26 documents').first().waitFor();

  const button = page.getByRole('button', { name: 'REST calls' });
  await button.focus();
  await page.keyboard.press('Enter');
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  const drawer = drawerOf(page);
  const list = drawer.getByRole('rowgroup').filter({ hasText: 'DocumentList' });
  await list.waitFor();
  const calls = await operations.find(({ name }) => name === 'DocumentList')!.calls;
  expect(calls.length).toBeGreaterThan(1); // the page, and its authors
  const shown = await list.getByRole('rowheader').locator('code:first-child').allInnerTexts();
  expect(shown.toSorted()).toEqual(calls.map(({ path }) => `GET ${path}`).toSorted());
  expect(await list.locator('.rest-calls-bar').count()).toBe(calls.length);

  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

  // The calls of a person are not shown to another one, whose list begins with its first page.
  await page.getByRole('link', { name: 'Previous' }).click();
  await page.getByText('1 to 20 of 26 documents').first().waitFor();
  await page.getByLabel('Signed in as').selectOption('usr-carlos');
  await page.getByText('of 2 documents').first().waitFor();
  await button.click();
  await expect.poll(() => list.count()).toBe(1);
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});

it.each([
  {
    width: 1280,
    language: 'en',
    button: 'REST calls',
    sent: /^With the gateway\s+3 queries, 1 subscription/,
    calls: /^Without it\s+(\d+) REST calls/,
  },
  {
    width: 360,
    language: 'de',
    button: 'REST-Aufrufe',
    sent: /^Mit dem Gateway\s+.*3 Abfragen, 1 Abonnement/s,
    calls: /(\d+) REST-Aufrufe/,
  },
])('counts each object once, over the whole screen: $width px, $language', async (shown) => {
  const { width, language, button, sent, calls } = shown;
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript((code) => localStorage.setItem('inbox.language', code), language);
  const operations = watchOperations(page);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('rowheader').first().waitFor();
  if (width < 900) await page.getByRole('button', { name: /^Men/ }).click();
  await page.getByRole('button', { name: button, exact: true }).click();
  const [withGateway, without] = [0, 1].map((index) =>
    page.locator('.rest-calls-cost tbody tr').nth(index),
  );
  await expect.poll(() => withGateway!.innerText()).toMatch(sent);
  expect(operations.map(({ name }) => name).toSorted()).toEqual([
    'DocumentList',
    'Forms',
    'ViewCounts',
    'WatchDocuments',
  ]);
  const all = (await Promise.all(operations.map((operation) => operation.calls))).flat();
  const distinct = new Set(all.map(({ path }) => path));
  expect(calls.exec(await without!.innerText())?.[1]).toBe(`${distinct.size}`);
  // Each of them is in the list, once.
  const listed = await page
    .locator('.rest-calls-table tbody:not(:has-text("WatchDocuments")) code:first-child')
    .allInnerTexts();
  expect(new Set(listed)).toEqual(new Set([...distinct].map((path) => `GET ${path}`)));
  expect(listed).toHaveLength(distinct.size);
});

it('multiplies the rounds by the latency that one chooses', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor(); // deferred
  await page.getByRole('button', { name: 'REST calls' }).click();
  const cost = drawerOf(page).getByRole('region', { name: 'Cost of this screen' });
  await cost.getByText(/^\d+ queries, 1 subscription, \d+ files?$/).waitFor();
  const rows = cost.getByRole('row').filter({ hasText: /gateway|Without/ });
  const read = async () =>
    (await rows.allInnerTexts()).slice(-2).map((text) => {
      const [, rounds, ms] = /(\d+) rounds?\s+([\d,]+) ms/.exec(text) ?? [];
      return { rounds: Number(rounds), ms: Number(ms?.replace(',', '')) };
    });
  const latency = cost.getByRole('group', { name: 'Network latency' });
  for (const ms of [80, 20, 200]) {
    await latency.getByRole('radio', { name: `${ms} ms`, exact: true }).check({ force: true });
    const [withGateway, without] = await read();
    // The objects behind the values and the references to the document need the document first.
    expect(without!.rounds).toBeGreaterThan(withGateway!.rounds);
    expect([withGateway!.ms, without!.ms]).toEqual([
      withGateway!.rounds * ms,
      without!.rounds * ms,
    ]);
  }
  await latency.getByRole('radio', { name: '200 ms' }).press('ArrowLeft');
  expect(await latency.getByRole('radio', { name: '80 ms', exact: true }).isChecked()).toBe(true);
});

it.each([1280, 560])('has a line for each row of the cost in German: %d px', async (width) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript(() => localStorage.setItem('inbox.language', 'de'));
  await page.goto(`${url}/app/views/inbox`);
  const drawer = page.getByRole('region', { name: 'REST-Aufrufe' });
  if (width < 896) await page.locator('.app-menu-button').click();
  await page.getByRole('button', { name: 'REST-Aufrufe' }).click();
  await drawer.getByText('3 Abfragen, 1 Abonnement').waitFor();
  const rows = drawer.locator('.rest-calls-cost tbody tr');
  const lines = await rows.evaluateAll((all) =>
    all.map((row) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(row.querySelector('th')!);
      const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
      return Math.floor((row.clientHeight - padding) / parseFloat(lineHeight));
    }),
  );
  expect(lines).toEqual([1, 1]);
  const overflow = await drawer.evaluate((one) => one.scrollWidth - one.clientWidth);
  expect(overflow).toBe(0);
});

it('opens an operation in the playground', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  await page.getByRole('button', { name: 'REST calls' }).click();
  const link = page.getByRole('link', { name: 'Inspect DocumentList in the playground' });
  const { searchParams } = new URL((await link.getAttribute('href'))!, page.url());
  const variables = JSON.parse(searchParams.get('variables')!) as Record<string, unknown>;
  const { data, errors } = await query(searchParams.get('query')!, variables);
  expect(errors).toBeUndefined();
  expect(data.documents.totalCount).toBe(26);
});

it('asks for a list once, also if other data arrives before it', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const counted = Promise.withResolvers<void>();
  const lists: string[] = [];
  await page.route('**/graphql', async (route) => {
    const name = route.request().postDataJSON()?.operationName as string;
    if (name === 'DocumentList') {
      lists.push(name);
      await counted.promise;
    }
    await route.continue();
  });
  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('navigation', { name: 'Views' }).getByText('26').waitFor();
  counted.resolve();
  await page.getByText('of 26 documents').first().waitFor();
  expect(lists).toEqual(['DocumentList']);
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

/** The number of calls and the two numbers of rounds in the first line of the drawer. */
async function argumentOf(page: Page) {
  const line = await page.locator('.rest-calls > section > :first-child').innerText();
  const [, calls, inRounds, rounds] =
    /^This page needs (\d+) REST calls? in (\w+) rounds?; the gateway made (\w+) rounds?\.$/.exec(
      line,
    ) ?? [];
  const numberOf = (text = ''): number => (text === 'one' ? 1 : Number(text));
  return { calls: numberOf(calls), inRounds: numberOf(inRounds), rounds: numberOf(rounds) };
}

it('counts what was sent before a redirect, and begins with the list', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const operations = watchOperations(page);
  const counted = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    const name = route.request().postDataJSON()?.operationName as string;
    if (name === 'ViewCounts') await counted.promise; // it was sent before, and ends after
    await route.continue();
  });
  await page.goto(`${url}/`);
  await page.getByText('of 26 documents').first().waitFor();
  counted.resolve();
  await page.getByRole('button', { name: 'REST calls' }).click();
  const drawer = drawerOf(page);
  await drawer.getByText('3 queries, 1 subscription').waitFor();
  const all = (await Promise.all(operations.map((operation) => operation.calls))).flat();
  const { calls, inRounds } = await argumentOf(page);
  expect(calls).toBe(new Set(all.map(({ path }) => path)).size);
  expect(inRounds).toBeLessThanOrEqual(calls);
  expect(await drawer.locator('.rest-calls-table tbody').first().innerText()).toContain(
    'DocumentList',
  );
});

it('counts the requests for files: their sizes, the one in view, and a download', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/files/')) sent.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  await page.getByRole('button', { name: 'REST calls' }).click();
  const drawer = drawerOf(page);
  const listed = async () =>
    (await drawer.locator('code:first-child').allInnerTexts()).filter((one) =>
      one.includes('/files/'),
    );
  await expect.poll(async () => (await listed()).toSorted()).toEqual(sent.toSorted());
  expect(sent.some((one) => one.startsWith('HEAD '))).toBe(true);
  const before = await argumentOf(page);
  const downloading = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /^Download / })
    .first()
    .click();
  const { pathname } = new URL((await downloading).url());
  await expect.poll(async () => (await listed()).at(-1)).toBe(`GET ${pathname}`);
  expect((await argumentOf(page)).inRounds).toBeGreaterThanOrEqual(before.inRounds);
});

it.each([1280, 360])('breaks the fields of a call after commas: %d px', async (width) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  await page.getByRole('button', { name: 'REST calls' }).click();
  await page.setViewportSize({ width, height: 800 });
  const fields = drawerOf(page)
    .locator('code', { hasText: /^fields=.{100}/ })
    .first();
  const lineEnds = await fields.evaluate((element) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const characters: { readonly text: string; readonly top: number }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent!;
      for (let index = 0; index < text.length; index += 1) {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        characters.push({ text: text[index]!, top: range.getBoundingClientRect().top });
      }
    }
    return characters
      .filter(({ top }, index) => top < (characters[index + 1]?.top ?? top))
      .map(({ text }) => text);
  });
  expect(lineEnds.length).toBeGreaterThan(0);
  expect(new Set(lineEnds)).toEqual(new Set([',']));
});

it('remembers the latency, and explains itself behind "?"', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const open = async () => {
    await page.goto(`${url}/app/views/inbox`);
    await page.getByText('of 26 documents').first().waitFor();
    await page.getByRole('button', { name: 'REST calls' }).click();
    return drawerOf(page).getByRole('radio', { name: '200 ms' });
  };
  await (await open()).check({ force: true });
  expect(await (await open()).isChecked()).toBe(true);
  const explanation = drawerOf(page).getByText('Waiting is rounds × latency');
  expect(await explanation.isVisible()).toBe(false);
  await drawerOf(page).getByText('?', { exact: true }).press('Enter');
  await explanation.waitFor();
});

it('opens an operation of a person as that person', async () => {
  const { url } = await startInbox();
  const { page, browser } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByLabel('Signed in as').selectOption('usr-carlos');
  await page.getByText('of 2 documents').first().waitFor();
  await page.getByRole('button', { name: 'REST calls' }).click();
  const opening = browser.waitForEvent('page');
  await page.getByRole('link', { name: 'Inspect DocumentList in the playground' }).click();
  const playground = await opening;
  await playground.getByRole('button', { name: 'Run', exact: true }).click();
  await playground.getByText('"totalCount": 2').waitFor();
  await playground
    .getByText(/as Carlos/)
    .first()
    .waitFor();
  expect(playground.url()).toBe(`${url}/graphql`);
});
