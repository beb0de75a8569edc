/** @module-tag nightly */
import type { Locator, Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { edit, holdRequests, pick, sendWaiting, startInbox, stopClock } from './inbox.ts';

interface OpenOptions {
  readonly path: string;
  readonly width?: number;
  readonly language?: 'en' | 'de';
}

async function open({ path, width = 1280, language = 'en' }: OpenOptions) {
  const gateway = await startInbox();
  const { page } = await visit(gateway.url);
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript((code) => localStorage.setItem('inbox.language', code), language);
  await page.goto(`${gateway.url}/app/${path}`);
  return { ...gateway, page };
}

const titleOf = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const focusedLabel = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent ?? null,
  );

/** Whether a text is on one line. */
const isOnOneLine = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size === 1;
  });

it('reviews ten invoices in at most 22 inputs besides typing', { timeout: 300_000 }, async () => {
  const { page, query } = await open({ path: 'views/inbox?form=invoice' });
  await page.getByRole('link', { name: /^Invoice RE-2026-0058/ }).waitFor();
  await stopClock(page);
  const ids: string[] = [];
  let inputs = 0;
  const bar = page.getByRole('group', { name: 'Actions' });
  const click = async (target: Locator): Promise<void> => {
    inputs += 1;
    await target.click();
  };
  const press = async (key: string): Promise<void> => {
    inputs += 1;
    await page.keyboard.press(key);
  };
  /** Waits for the next invoice, whose actions count after a moment. */
  const isShown = async (): Promise<void> => {
    const approve = bar.getByRole('button', { name: /^Approve/ });
    const isReady = async (): Promise<boolean> => {
      await page.clock.runFor(600);
      const id = /DOC-\d+/.exec(page.url())?.[0] ?? '';
      if (ids.includes(id) || !(await approve.count()) || !(await approve.isEnabled()))
        return false;
      ids.push(id);
      return true;
    };
    await expect.poll(isReady).toBe(true);
  };
  await click(page.getByRole('link', { name: /^Invoice RE-2026-0058/ }));
  for (let i = 0; i < 10; i++) {
    await isShown();
    if (i === 2 || i === 5) {
      await click(page.getByRole('button', { name: 'Change Invoice number' }));
      await page.keyboard.type(`RE-CORRECTED-${i}`);
      await press('Enter');
      await bar.getByRole('button', { name: 'Approve with 1 change' }).waitFor();
      await press('a');
    } else if (i === 8) {
      await press('d');
      await page.getByLabel('Why do you decline it?').waitFor();
      await page.keyboard.type('It was not ordered.');
      await press('Control+Enter');
    } else await press('a');
  }
  expect(inputs).toBeLessThanOrEqual(22);
  await sendWaiting(page);
  const left = async (): Promise<readonly string[]> => {
    const { data } = await query(
      '{ documents(view: INBOX, first: 50, filter: { forms: ["invoice"] }) { nodes { shortId } } }',
    );
    return data.documents.nodes.map(({ shortId }: { shortId: string }) => shortId);
  };
  await expect.poll(async () => (await left()).filter((id) => ids.includes(id))).toEqual([]);
  expect((await left()).length).toBe(8);
  const { data } = await query(
    `query ($one: ID!, $other: ID!) {
      one: document(id: $one) { invoice { number } }
      other: document(id: $other) { invoice { number } }
    }`,
    { one: ids[2], other: ids[5] },
  );
  expect(data.one.invoice.number).toBe('RE-CORRECTED-2');
  expect(data.other.invoice.number).toBe('RE-CORRECTED-5');
});

it.each([
  { language: 'en', width: 1280, decline: 'Decline…', why: 'Why do you decline it?' },
  { language: 'de', width: 360, decline: 'Ablehnen …', why: 'Warum lehnen Sie es ab?' },
] as const)(
  'declines with a reason, an undo and the next document: $language, $width px',
  async ({ language, width, decline, why }) => {
    const { page } = await open({ path: 'views/inbox', language, width });
    await page.getByRole('link', { name: /RE-2026-0058/ }).click();
    const bar = page.getByRole('group', { name: /^(?:Actions|Aktionen)$/ });
    const verb = decline.replace(/ ?…/, '');
    await bar.getByRole('button', { name: decline }).waitFor();
    await stopClock(page);
    await bar.getByRole('button', { name: decline }).click();
    await page.getByRole('button', { name: verb, exact: true }).click();
    await expect.poll(() => focusedLabel(page)).toContain(why);
    await page.keyboard.type('Not ordered.');
    await page.getByRole('button', { name: verb, exact: true }).click();
    await expect.poll(() => titleOf(page).innerText()).toMatch(/RE-2026-0054/);
    const toast = page.locator('.toast');
    await toast.getByText(`${verb}: DOC-0191`).waitFor();
    const lines = await toast.getByRole('button').evaluate(({ firstChild }) => {
      const range = document.createRange();
      range.selectNode(firstChild!);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    // The document that is left offers nothing any more.
    await page.locator('.document-navigation a[title$="(k)"]').click();
    await expect.poll(() => titleOf(page).innerText()).toMatch(/RE-2026-0058/);
    expect(await bar.getByRole('button').count()).toBe(0);
    await page.keyboard.press('u');
    await expect.poll(() => page.getByLabel(why).inputValue()).toBe('Not ordered.');
    expect(await page.locator('.toast').count()).toBe(0);
    await expect.poll(() => focusedLabel(page)).toContain(why);
    await page.keyboard.type(' Not needed.');
    expect(await page.getByLabel(why).inputValue()).toBe('Not ordered. Not needed.');
  },
);

it('opens no document that was answered', async () => {
  const { page } = await open({ path: 'views/inbox?search=RE-2026-005' });
  await page.getByRole('link', { name: /RE-2026-0054/ }).waitFor();
  await stopClock(page);
  await page.getByRole('link', { name: /RE-2026-0054/ }).click();
  const approve = async (next: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.clock.runFor(700);
    await page.keyboard.press('a');
    await expect.poll(() => titleOf(page).innerText()).toMatch(next);
  };
  await approve(/RE-2026-0051/);
  for (const before of [/RE-2026-0054/, /RE-2026-0058/]) {
    await page.keyboard.press('k');
    await expect.poll(() => titleOf(page).innerText()).toMatch(before);
  }
  await approve(/RE-2026-0051/);
  // The inbox is read before the DMS has the responses, and arrives after them.
  const responses: Response[] = [];
  page.on('response', (response) => {
    if (response.request().postDataJSON()?.operationName === 'Respond') responses.push(response);
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'NextDocuments') return route.continue();
    const response = await route.fetch();
    await sendWaiting(page);
    await expect.poll(() => responses.length).toBe(3);
    await Promise.all(responses.map((one) => one.finished()));
    return route.fulfill({ response });
  });
  await approve(/Server maintenance/);
});

it.each(['link', 'key of the browser'] as const)(
  'leads back to the row of the document: %s',
  async (way) => {
    const { page } = await open({ path: 'views/inbox?page=2' });
    const links = page.getByRole('rowheader').getByRole('link');
    const title = await links.last().innerText();
    await links.last().click();
    await expect.poll(() => titleOf(page).innerText()).toBe(title);
    if (way === 'link') await page.getByRole('link', { name: 'Back to Inbox' }).click();
    else await page.goBack();
    await links.last().waitFor();
    await expect.poll(() => page.locator(':focus').innerText()).toBe(title);
  },
);

it('cuts no number of a line that is edited, and fills its row: 412 px', async () => {
  const { page } = await open({ path: 'documents/DOC-0191', width: 412 });
  await edit(page, 'Lines');
  const cells = page.getByRole('group', { name: 'Lines' }).locator('td > input');
  await cells.first().waitFor();
  const sizes = await cells.evaluateAll((inputs) =>
    inputs.map((input) => ({
      isCut:
        (input as HTMLInputElement).inputMode === 'decimal' &&
        input.scrollWidth > input.clientWidth,
      spare: input.closest('tr')!.clientHeight - input.clientHeight,
    })),
  );
  expect(sizes.length).toBe(25);
  expect(sizes.filter(({ isCut, spare }) => isCut || spare > 6)).toEqual([]);
});

it('shows an address that is opened from its top', async () => {
  const { page, url } = await open({ path: 'documents/DOC-0191' });
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.keyboard.press('End');
  const top = () => page.evaluate(() => scrollY);
  await expect.poll(top).toBeGreaterThan(0);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('1 to 20 of 26').first().waitFor();
  expect(await top()).toBe(0);
});

it('replaces a reference by what is typed, from its name on', async () => {
  const { page } = await open({ path: 'documents/DOC-0191' });
  const change = page.getByRole('button', { name: 'Change Supplier', exact: true });
  await change.waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/graphql', (route) => held.promise.then(() => route.continue()));
  await change.click();
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  expect(await supplier.inputValue()).toBe('Acme Tools Ltd');
  await edit(page, 'Currency');
  const currency = page.getByRole('combobox', { name: 'Currency' });
  const chosen = currency.locator('option:checked');
  expect(await chosen.innerText()).toBe('Euro');
  await edit(page, 'Supplier');
  held.resolve();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Baltic Freight OÜ' }).waitFor();
  await page.keyboard.type('nobody');
  expect(await supplier.inputValue()).toBe('nobody');
  await page.getByText('Nothing has this name or ID.').waitFor();
  await edit(page, 'Currency');
  expect(await supplier.inputValue()).toBe('nobody');
  await page.getByText('“nobody” is not one of the suggestions.').waitFor();
  expect(await chosen.innerText()).toBe('Euro');
  await page.getByRole('button', { name: 'Approve with 1 change' }).click();
  await expect.poll(() => focusedLabel(page)).toBe('Supplier');
  await page.keyboard.press('Escape');
  await page.getByText('Acme Tools Ltd DE810000020').waitFor();
  expect(await page.getByText('Approve with').count()).toBe(0);
});

it(
  'keeps the open field when suggestions of another one arrive',
  { tags: ['nightly'] },
  async () => {
    const { page } = await open({ path: 'documents/DOC-0191' });
    const release = await holdRequests(page, 'OrganizationSearch');
    const found = page.waitForResponse(
      (response) => response.request().postData()?.includes('OrganizationSearch') === true,
    );
    await edit(page, 'Supplier');
    const supplier = page.getByRole('combobox', { name: 'Supplier' });
    await supplier.fill('Baltic Freight OÜ');
    await supplier.press('Tab');
    await edit(page, 'Invoice number');
    const number = page.getByRole('textbox', { name: 'Invoice number' });
    await number.waitFor();
    release();
    await (await found).finished();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.keyboard.type('ab12'); // the field has the focus: nothing is a shortcut
    expect(await number.inputValue()).toBe('ab12');
    expect(await page.locator('.toast').count()).toBe(0);
  },
);

it('shows the total in the currency that is chosen', { tags: ['nightly'] }, async () => {
  const { page } = await open({ path: 'documents/DOC-0191' });
  await edit(page, 'Currency');
  await page.getByRole('combobox', { name: 'Currency' }).selectOption({ label: 'US dollar' });
  const total = page.locator('.value-row', { hasText: 'Total' }).locator('.amount');
  await expect.poll(() => total.innerText()).toBe('$2,587.71');
});

it('warns at the field if the file says another total', async () => {
  const { page, url, query } = await open({ path: 'documents/DOC-0191' });
  await page.getByText('The sum of Amount, 2,587.71, is the Total.').waitFor();
  const { data } = await query(
    `mutation { respondToDocument(input: {
      document: "DOC-0191", action: APPROVE_WITH_EDITS, fields: { invoice: { total: "2578.71" } }
    }) { __typename } }`,
  );
  expect(data.respondToDocument.__typename).toBe('RespondToDocumentPayload');
  await page.goto(`${url}/app/documents/DOC-0191`);
  const total = page.locator('.value-row', { hasText: '€2,578.71' });
  await total.getByText('The file says €2,587.71.').waitFor();
  await page.getByText('differs from the Total of 2,578.71 by 9.00').waitFor();
  expect(await page.locator('.total-check-same').count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
});

it.each([
  { language: 'en', width: 1280, sum: '€5,175.42' },
  { language: 'de', width: 360, sum: '5.175,42 €' },
] as const)(
  'shows the sum of selected amounts, and takes their approval back: $language, $width px',
  async ({ language, width, sum }) => {
    const { page, query } = await open({ path: 'views/inbox', language, width });
    const rows = page.locator('tbody tr').filter({ hasText: /RE-2026-005[48]/ });
    await rows.nth(1).waitFor();
    await stopClock(page);
    for (const row of await rows.all()) {
      expect(await isOnOneLine(row.locator('.document-row-amount'))).toBe(true);
      await row.getByRole('checkbox').check();
    }
    const bar = page.locator('.bulk-bar');
    const amount = bar.locator('.amount');
    await expect.poll(async () => (await amount.innerText()).replaceAll('\u00a0', ' ')).toBe(sum);
    expect(await isOnOneLine(amount)).toBe(true);
    await bar.getByRole('button', { name: /^(?:Approve|Freigeben)$/ }).click();
    const comment = bar.getByRole('textbox', { name: /^(?:Comment|Kommentar)$/ });
    await comment.fill('Both are right.');
    await bar.locator('.button-primary').click();
    const toast = page.locator('.toast');
    await toast.getByText(/2 (?:documents|Dokumente)/).waitFor();
    await toast.getByRole('button').click();
    await toast.waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    for (const row of await rows.all())
      expect(await row.getByRole('checkbox').isChecked()).toBe(true);
    expect(await comment.inputValue()).toBe('Both are right.');
    expect(await page.locator(':focus').count()).toBe(1);
    await page.clock.runFor(10_000);
    const { data } = await query('{ documents(view: INBOX, first: 1) { totalCount } }');
    expect(data.documents.totalCount).toBe(26);
  },
);

it('reads amounts and dates as a clerk means them, beside the file, and leads to what is wrong', async () => {
  const { page, query } = await open({ path: 'new' });
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const total = page.getByLabel('Total');
  const date = page.getByLabel('Invoice date');
  const says = (text: string | RegExp) => page.locator('.create-fields').getByText(text).waitFor();
  // A field complains when it is left.
  await page.getByLabel('Currency').selectOption('Euro');
  await total.fill('VAT 19');
  expect(await total.getAttribute('aria-invalid')).not.toBe('true');
  await total.press('Tab');
  await says('“VAT 19” is not a number such as 1,250.00');
  await total.fill('USD 1,107.00');
  await says('This amount is in EUR, not in USD.');
  await date.fill('1.2.0026');
  await date.press('Tab');
  await says('“1.2.0026” is not a date such as 3/31/2026');
  await date.fill('31.12.99');
  await says('Is December 31, 1999 meant? Then write 1999-12-31.');
  await date.fill('03/04/2026');
  await says('March 4, 2026');
  expect(await findViolations(page)).toEqual([]);

  // The file is beside the fields while one types.
  await page.locator('input[type="file"]').setInputFiles({
    name: 'invoice.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Invoice RE-1'),
  });
  const file = page.locator('.create-files .file-viewer');
  await file.getByText('Invoice RE-1').waitFor();
  const [fields, shown] = await Promise.all(
    [page.locator('.create-fields'), file].map((one) => one.boundingBox()),
  );
  expect(shown!.x).toBeGreaterThanOrEqual(fields!.x + fields!.width);
  expect(shown!.y).toBeLessThan(fields!.y + 300);

  // The first field that is wrong is shown, has the focus, and says why.
  await page.getByRole('button', { name: 'Create and send' }).click();
  await expect.poll(() => focusedLabel(page)).toContain('Invoice number');
  const focused = page.locator(':focus');
  const { top, bottom } = await focused.evaluate((one) => one.getBoundingClientRect());
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(800);
  const description = await focused.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${description}"]`).innerText()).toBe('Enter a value.');
  await page.getByLabel('Invoice number').fill('RE-1');
  await pick(page, 'Supplier', 'Acme Tools Ltd');
  await total.fill('EUR 1,107.00');
  await page.getByRole('button', { name: 'Create and send' }).click();
  await page.waitForURL(/\/documents\/DOC-\d+$/);
  const { data } = await query(
    'query ($id: ID!) { document(id: $id) { state invoice { total date } } }',
    { id: page.url().split('/').at(-1) },
  );
  expect(data.document).toEqual({ state: 10, invoice: { total: '1107.00', date: '2026-03-04' } });
});

it('leads to the value that is refused, in words of a clerk', async () => {
  const { page } = await open({ path: 'views/inbox', language: 'de' });
  await page.getByRole('link', { name: /RE-2026-0058/ }).click();
  await page.getByRole('button', { name: 'Schlagwörter ändern' }).click();
  await page.keyboard.type('x'.repeat(300));
  await stopClock(page);
  await page.getByRole('button', { name: 'Mit 1 Änderung freigeben' }).click();
  await expect.poll(() => titleOf(page).innerText()).toMatch(/RE-2026-0054/);
  await sendWaiting(page);
  await page.clock.resume();
  await page.getByText('DOC-0191: Die Aktion ist fehlgeschlagen.').first().waitFor();
  await page.getByRole('link', { name: 'Dokument anzeigen' }).click();
  const input = page.getByRole('textbox', { name: /^Schlagwörter/ });
  await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true);
  const { top, bottom } = await input.evaluate((one) => one.getBoundingClientRect());
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(800);
  const said = page.locator(`[id="${await input.getAttribute('aria-describedby')}"]`);
  expect(await said.innerText()).not.toMatch(/`|tags\.|must/);
  expect(await findViolations(page)).toEqual([]);
});

it('has amount, due date and author in a list of 900 px', async () => {
  const { page } = await open({ path: 'views/inbox', width: 900 });
  const row = page.locator('tbody tr').filter({ hasText: 'RE-2026-0048' });
  await row.waitFor();
  for (const part of ['amount', 'due', 'author']) {
    const cell = row.locator(`.document-row-${part}`);
    expect(await cell.isVisible()).toBe(true);
    if (part === 'amount') expect(await isOnOneLine(cell)).toBe(true);
  }
  expect(await row.locator('.document-row-amount').innerText()).toBe('€2,869.83');
});

it('has the lines, labels and inputs of its design', async () => {
  const { page, url } = await open({ path: 'documents/DOC-0191' });
  await page.getByRole('button', { name: 'Change Lines' }).waitFor();
  const heights = await page
    .locator('.value-table tbody tr')
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  expect(heights).toEqual([30, 30, 30, 30, 30]);
  const columns = await page
    .locator('.value-table .scroll-x')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(columns).toBe(0); // all beside the file
  await edit(page, 'Lines');
  const edited = await page
    .locator('.value-edited .scroll-x')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(edited).toBe(0);
  await page.keyboard.press('Escape');
  const colours = await page
    .locator('.definition-list .value-row')
    .first()
    .evaluate((row) => ['dt', 'dd'].map((one) => getComputedStyle(row.querySelector(one)!).color));
  expect(colours[0]).not.toBe(colours[1]);

  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  await page.getByLabel('Invoice number').waitFor();
  const widths = await page
    .locator('.create-fields > .value-field > .field :is(input, select):not(table *)')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
  expect(new Set(widths).size).toBe(1);

  await page.goto(`${url}/app/views/inbox`);
  await page.locator('tbody .document-row-workflow .badge').first().waitFor();
  const workflow = await page.locator('tbody .document-row-workflow').first().boundingBox();
  expect(workflow!.width).toBeCloseTo(8.5 * 16, -1);
});

it('is painted before its script is loaded', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/*.js', () => {}); // is never answered
  await page.goto(`${url}/app/views/inbox`, { waitUntil: 'commit' });
  await page.getByText('DMS gateway').waitFor();
  const frame = page.locator('.header');
  const before = await frame.boundingBox();
  await page.unroute('**/*.js');
  await page.reload();
  await page.getByText('of 26 documents').first().waitFor();
  expect(await frame.boundingBox()).toEqual(before);
});
