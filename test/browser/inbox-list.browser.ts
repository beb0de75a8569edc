/** @module-tag nightly */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { sendWaiting, startInbox } from './inbox.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

interface ListOptions {
  readonly path?: string;
  readonly width?: number;
  readonly language?: 'en' | 'de';
  readonly livePollMs?: number;
}

async function openList(options: ListOptions = {}) {
  const { path = 'views/inbox', width = 1280, language = 'en', livePollMs } = options;
  const gateway = await startInbox(livePollMs ? { server: pollingEvery(livePollMs) } : {});
  const { page } = await visit(gateway.url);
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript((code) => localStorage.setItem('inbox.language', code), language);
  const subscribed = page.waitForResponse(
    (response) => response.request().postDataJSON()?.operationName === 'WatchDocuments',
  );
  await page.goto(`${gateway.url}/app/${path}`);
  await rowsOf(page).first().waitFor();
  await subscribed;
  return { ...gateway, page };
}

const rowsOf = (page: Page): Locator => page.locator('tbody tr:not(:has(.skeleton))');

it('clears the search with one mark', async () => {
  const { page } = await openList({ path: 'views/inbox?search=acme' });
  const search = page.getByRole('searchbox', { name: 'Search supplier, number or amount' });
  const { x, y, width, height } = (await search.boundingBox())!;
  const mark = page.getByRole('button', { name: /^Remove Search/ });
  const end = (await mark.boundingBox())!.x;
  expect(end).toBeLessThan(x + width);
  // The mark of the browser would be at the end of the text.
  for (let left = end - 40; left < end; left += 4) await page.mouse.click(left, y + height / 2);
  expect(await search.inputValue()).toBe('acme');
  await mark.click();
  expect(await search.inputValue()).toBe('');
  await page.getByText('1 to 20 of 26').first().waitFor();
  await search.fill('doc-0042');
  await page.getByText('Enter opens DOC-0042.').waitFor();
  await search.fill('acme');
  await search.press('Enter');
  await page.waitForURL(/views\/inbox\?search=acme$/);
});

it.each([
  { width: 360, language: 'de', sort: 'Sortieren', due: 'Fällige zuerst' },
  { width: 600, language: 'en', sort: 'Sort', due: 'Due first' },
  { width: 895, language: 'de', sort: 'Sortieren', due: 'Fällige zuerst' },
] as const)(
  'sorts where the table has no headers: $width px',
  async ({ width, language, sort, due }) => {
    const { page, query } = await openList({ width, language });
    await page.getByLabel(sort, { exact: true }).selectOption(due);
    await page.waitForURL(/\?order=due$/);
    const { data } = await query(
      '{ documents(view: INBOX, first: 3, orderBy: { field: DATE_DUE }) { nodes { shortId } } }',
    );
    const expected = data.documents.nodes.map(({ shortId }: { shortId: string }) => shortId);
    await expect
      .poll(() =>
        page
          .locator('.document-row-id')
          .evaluateAll((all) => all.slice(0, 3).map((one) => one.textContent)),
      )
      .toEqual(expected);
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel(sort, { exact: true }).selectOption({ index: 0 });
    await page.waitForURL(/\/inbox$/);
  },
);

it.each([1231, 1000, 900, 700, 360])('has its toolbar on one line: %d px', async (width) => {
  const { page } = await openList({
    width,
    language: 'de',
    path: 'views/all?status=2&tags=finance',
  });
  const tops = await page.locator('.toolbar > *, .toolbar-filters > *').evaluateAll((all) =>
    all
      .map((one) => one.getBoundingClientRect())
      .filter((box) => box.height > 0)
      .map((box) => Math.round(box.top + box.height / 2)),
  );
  expect(tops.length).toBeGreaterThan(2);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
});

it('repeats in the second line nothing of the title, and has a place for the amount', async () => {
  const { page } = await openList();
  const row = rowsOf(page).filter({ hasText: 'Invoice RE-2026-0058' });
  expect((await row.locator('.document-row-details').innerText()).trim()).toBe(
    'DOC-0191 · Supplier invoice · finance',
  );
  expect(await row.locator('.document-row-amount').innerText()).toBe('€2,587.71');
  const edges = await page.locator('tbody .document-row-amount').evaluateAll((cells) =>
    cells
      .filter((cell) => cell.textContent !== '')
      .map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().right;
      }),
  );
  expect(new Set(edges).size).toBe(1); // aligned to the right
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await row.locator('.document-row-amount').isVisible()).toBe(true);
});

it.each([
  { language: 'en', width: 1280 },
  { language: 'de', width: 1280 },
  { language: 'en', width: 360 },
  { language: 'de', width: 360 },
] as const)(
  'shows another pill for each state, and cuts none: $language, $width px',
  async ({ language, width }) => {
    const { page, url } = await openList({ language, width });
    const looks = new Map<string, Set<string>>();
    for (const status of [1, 2, 4, 5, 6, 7, 8, 9]) {
      await page.goto(`${url}/app/views/all?status=${status}`);
      await rowsOf(page).first().waitFor();
      const pills = await page.locator('tbody .badge:has(.badge-dot)').evaluateAll((all) =>
        all.map((one) => {
          const text = one.querySelector('.clip')!;
          const isCut = text.scrollWidth > text.clientWidth;
          return { text: one.textContent, isCut, look: getComputedStyle(one).color };
        }),
      );
      expect(pills.filter(({ isCut }) => isCut)).toEqual([]);
      for (const { text, look } of pills) looks.set(text, (looks.get(text) ?? new Set()).add(look));
    }
    const [approval, signing, execution, draft] =
      language === 'en'
        ? ['Approval', 'Signing', 'Execution', 'Draft']
        : ['Freigabe', 'Unterzeichnung', 'Ausführung', 'Entwurf'];
    const colours = [approval, signing, execution, draft].map((text) => [...looks.get(text)!]);
    expect(colours.map((all) => all.length)).toEqual([1, 1, 1, 1]);
    expect(new Set(colours.flat()).size).toBe(4);
  },
);

it.each([
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const)(
  'marks the box of a selected document: $width px, $colorScheme',
  async ({ width, colorScheme }) => {
    const { page } = await openList({ width });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const box = rowsOf(page).first().getByRole('checkbox');
    await box.check();
    const picture = (await box.screenshot()).toString('base64');
    /** Number of colours in the middle of the box: its own, and that of the mark. */
    const colours = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(4, 4, bitmap.width - 8, bitmap.height - 8);
      return new Set(new Uint32Array(data.buffer)).size;
    }, picture);
    expect(colours).toBeGreaterThan(1);
  },
);

it.each([
  { language: 'en', text: '2,587.71', total: 7 },
  { language: 'de', text: '2.587,71', total: 7 },
  { language: 'de', text: 're-2026-0058', total: 1 },
  { language: 'en', text: 'lighthouse', total: 11 },
] as const)('searches the whole list: $text', async ({ language, text, total }) => {
  const { page, url } = await openList({ language, path: 'views/all' });
  await page.getByRole('searchbox').fill(text);
  await page.waitForURL(/\?search=/);
  const summary = page.locator('.list-summary');
  await expect.poll(() => summary.innerText()).toMatch(new RegExp(`\\b${total} do[ck]ument`, 'i'));
  await page.reload(); // the URL has the search
  await expect.poll(() => summary.innerText()).toMatch(new RegExp(`\\b${total} do[ck]ument`, 'i'));
  await page.getByRole('searchbox').fill('');
  await page.waitForURL(`${url}/app/views/all`);
});

it('says what to narrow if a list is too long to be searched and sorted, and keeps its rows', async () => {
  const { page } = await openList({ path: 'views/all', width: 1280 });
  await page.route('**/graphql', async (route) => {
    const { operationName, variables } = route.request().postDataJSON() ?? {};
    if (operationName !== 'DocumentList' || !variables.search) return route.continue();
    const message =
      '`search` searches at most 500 documents, but the list has 812. Narrow `filter`, or omit `search`.';
    const errors = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
    return route.fulfill({ json: { errors } });
  });
  const rows = await rowsOf(page).count();
  await page.getByRole('searchbox').fill('paper');
  await page.getByText('The list has 812 documents, and only 500 can be searched').waitFor();
  expect(await page.getByRole('alert').innerText()).not.toContain('`');
  expect(await rowsOf(page).count()).toBe(rows);
  expect(await findViolations(page)).toEqual([]);
});

it('offers no order for a list that is too long', async () => {
  const { page } = await openList({ path: 'views/inbox', width: 1280 });
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'DocumentList') return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replace('"totalCount":200', '"totalCount":812');
    return route.fulfill({ response, body });
  });
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByText('of 812 documents').first().waitFor();
  expect(await page.locator('.sort-link').count()).toBe(0);
});

it('gives a title the place of an amount that is not there: 360 px', async () => {
  const { page } = await openList({ path: 'views/all', width: 360 });
  const row = rowsOf(page).filter({ hasText: 'DOC-0192' });
  const ends = await row.evaluate((element) =>
    ['.document-row-line', '.document-row-due'].map(
      (part) => element.querySelector(part)!.getBoundingClientRect().right,
    ),
  );
  expect(ends[0]).toBeCloseTo(ends[1]!, 0);
});

it.each([
  { language: 'de', width: 360, all: 'Alle 20 auswählen', apply: 'Auf 20 anwenden' },
  { language: 'en', width: 1280, all: 'Select all 20', apply: 'Apply to 20' },
] as const)(
  'keeps the actions of several documents on the screen, and a comment beside its button: $width px',
  async ({ language, width, all, apply }) => {
    const { page } = await openList({ language, width });
    await rowsOf(page).first().getByRole('checkbox').check();
    await page.getByRole('button', { name: all }).click();
    const bar = page.locator('.bulk');
    await bar.locator('.bulk-response').first().click();
    const comment = (await bar.getByRole('textbox').boundingBox())!;
    const button = (await bar.getByRole('button', { name: apply }).boundingBox())!;
    expect(button.y).toBeCloseTo(comment.y, 0);
    const beyond = await bar.locator('button, select, input').evaluateAll((controls) =>
      controls.filter((control) => {
        const { left, right } = control.getBoundingClientRect();
        return left < 0 || right > window.innerWidth || control.scrollWidth > control.clientWidth;
      }),
    );
    expect(beyond).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
  },
);

it.each(['light', 'dark'] as const)(
  'keeps the background of pills on selected rows: %s',
  async (colorScheme) => {
    const { page } = await openList({ path: 'views/all' });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const backgroundOf = (locator: Locator) =>
      locator.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    const pills = page.locator('tbody .badge:has(.badge-dot)');
    const before = await backgroundOf(pills);
    await rowsOf(page).first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Select all 20' }).click();
    await page.getByText('20 selected').waitFor();
    expect(await backgroundOf(pills)).toEqual(before);
    const rows = await backgroundOf(rowsOf(page));
    expect(before.filter((colour, index) => colour === rows[index])).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
  },
);

it('lets a row that somebody else changes say so before it leaves', async () => {
  const { page, query } = await openList({ livePollMs: 300 });
  const row = rowsOf(page).filter({ hasText: 'DOC-0191' });
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: CANCEL }) { __typename } }',
  );
  await row.getByText('Changed, leaves this view').waitFor();
  await page
    .getByRole('status')
    .getByText('Documents were changed, and leave this view.')
    .waitFor();
  expect(await findViolations(page)).toEqual([]);
  await row.waitFor({ state: 'detached' });
  await page.getByText('1 to 20 of 25 documents').first().waitFor();
});

it('reads the list again after a change, also while another reading is on its way', async () => {
  const { page, query } = await openList({ livePollMs: 300 });
  const held = Promise.withResolvers<void>();
  let lists = 0;
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'DocumentList') return route.continue();
    lists += 1;
    const response = await route.fetch(); // the state before the next change
    if (lists === 1) await held.promise;
    return route.fulfill({ response }).catch(() => {}); // the page has given up this one
  });
  const move = (action: string) =>
    query(
      `mutation { moveDocument(input: { document: "DOC-0191", action: ${action} }) { __typename } }`,
    );
  await move('SUSPEND');
  await expect.poll(() => lists).toBe(1);
  await move('RESUME');
  await expect.poll(() => lists).toBe(2);
  held.resolve();
  const row = rowsOf(page).filter({ hasText: 'DOC-0191' });
  await row.getByText('Updated').waitFor();
  await row.getByText('Approval', { exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

it.each([
  {
    language: 'en',
    mixed: 'Approve 1 · Report 1 as done',
    apply: 'Apply to 2',
    done: 'Approve 1 · Report 1 as done: 2 documents',
    unawaited: 'No response: 1 of 3 do not await yours.',
  },
  {
    language: 'de',
    mixed: '1 freigeben · 1 als erledigt melden',
    apply: 'Auf 2 anwenden',
    done: '1 freigeben · 1 als erledigt melden: 2 Dokumente',
    unawaited: 'Keine Antwort: 1 von 3 warten nicht auf Ihre.',
  },
] as const)('gives the usual response to documents of several phases: $language', async (texts) => {
  const { language, mixed, apply, done, unawaited } = texts;
  const { page, query, url } = await openList({ language, path: 'views/all' });
  await page.goto(`${url}/app/views/inbox`);
  for (const id of ['DOC-0191', 'DOC-0178']) {
    await rowsOf(page).filter({ hasText: id }).getByRole('checkbox').check();
  }
  const bar = page.locator('.bulk-bar');
  await bar.getByRole('button', { name: mixed, exact: true }).click();
  expect(await findViolations(page)).toEqual([]);
  await bar.getByRole('button', { name: apply, exact: true }).click();
  await page.getByText(done).first().waitFor();
  await sendWaiting(page);
  await expect
    .poll(async () => {
      const { data } = await query(
        '{ approved: document(id: "DOC-0191") { step } reported: document(id: "DOC-0178") { state } }',
      );
      return data;
    })
    .toEqual({ approved: { step: 1 }, reported: { state: 50 } });

  // One that does not await the user: why there is no response.
  await page.goto(`${url}/app/views/all`);
  for (const id of ['DOC-0200', 'DOC-0193']) {
    await rowsOf(page).filter({ hasText: id }).getByRole('checkbox').check();
  }
  await bar
    .getByText(/None of them|Keines davon/)
    .first()
    .waitFor();
  expect(await bar.getByRole('button', { name: /^(?:Decline|Ablehnen)/ }).count()).toBe(0);
  await page.goto(`${url}/app/views/all?page=2`);
  await rowsOf(page).filter({ hasText: 'DOC-0179' }).getByRole('checkbox').check();
  await rowsOf(page).filter({ hasText: 'DOC-0169' }).getByRole('checkbox').check();
  await rowsOf(page).filter({ hasText: 'DOC-0177' }).getByRole('checkbox').check();
  await bar.getByText(unawaited).waitFor();
  expect(await bar.getByRole('button', { name: /^(?:Decline|Ablehnen)/ }).count()).toBe(0);
});

it.each([
  {
    language: 'en',
    filter: 'Filter',
    phase: 'Phase',
    close: 'Close',
    show: /^Show \d+ documents$/,
  },
  {
    language: 'de',
    filter: 'Filter',
    phase: 'Phase',
    close: 'Schließen',
    show: /^\d+ Dokumente zeigen$/,
  },
] as const)(
  'has a filter sheet with a title, a count and two ways out: $language',
  async (texts) => {
    const { language, filter, phase, close, show } = texts;
    const { page } = await openList({ language, path: 'views/all', width: 360 });
    await page.getByRole('button', { name: filter }).click();
    const sheet = page.getByRole('form', { name: filter });
    await sheet.getByRole('heading', { name: filter }).waitFor();
    await sheet.getByLabel(phase, { exact: true }).selectOption('20');
    const count = sheet.getByRole('button', { name: show });
    await expect.poll(() => count.innerText()).not.toContain('200');
    expect(await findViolations(page)).toEqual([]);
    const shown = /\d+/.exec(await count.innerText())![0];
    await count.click();
    await sheet.waitFor({ state: 'hidden' });
    expect(await page.locator('.list-summary').innerText()).toContain(shown);
    await page.getByRole('button', { name: filter }).click();
    await sheet.getByRole('button', { name: close }).click();
    await sheet.waitFor({ state: 'hidden' });
  },
);

it.each([1280, 360])('keeps a filter that failed in its place: %d px', async (width) => {
  const { page } = await openList({ path: 'views/all?page=3', width });
  let fails = true;
  await page.route('**/graphql', (route) =>
    fails && route.request().postDataJSON()?.operationName === 'DocumentList'
      ? route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Error</h1>' })
      : route.continue(),
  );
  const toolbar = page.locator('.toolbar');
  const before = await toolbar.boundingBox();
  const phase = page.getByLabel('Phase', { exact: true });
  if (width === 360) await page.getByRole('button', { name: 'Filter' }).click();
  await phase.focus();
  await phase.selectOption('Signing');
  const alert = page.getByRole('alert');
  await alert.getByText('The documents cannot be shown.').waitFor();
  expect(await phase.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await phase.locator('option:checked').innerText()).toBe('Signing');
  if (width === 360) await page.keyboard.press('Escape');
  expect(await toolbar.boundingBox()).toEqual(before);
  const notice = await alert.boundingBox();
  expect(notice!.y).toBeGreaterThanOrEqual(before!.y + before!.height);
  fails = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  await rowsOf(page).filter({ hasText: 'Signing' }).first().waitFor();
  // The rows of the filter before remain, dimmed, until the new ones are there.
  await expect.poll(() => rowsOf(page).filter({ hasNotText: 'Signing' }).count()).toBe(0);
  expect(await toolbar.boundingBox()).toEqual(before);
});

it('does not mark a chosen author as wrong', async () => {
  const { page } = await openList({ path: 'views/all' });
  await page.locator('summary').getByText('More').click();
  const author = page.getByRole('combobox', { name: 'Author' });
  await author.fill('nobody');
  await author.press('Tab');
  await expect.poll(() => author.getAttribute('aria-invalid')).toBe('true');
  // The second time she is chosen already.
  for (let times = 0; times < 2; times++) {
    await author.fill('nora');
    await page.getByRole('option', { name: /^Nora Bakke/, selected: true }).waitFor();
    await author.press('Tab');
    await page.waitForURL(/author=/);
    await expect.poll(() => author.inputValue()).toBe('Nora Bakke');
    expect(await author.getAttribute('aria-invalid')).toBeNull();
  }
});

it('opens no document that was answered before the list was read again', async () => {
  const { page } = await openList({ path: 'views/all?form=invoice&state=10' });
  const shownId = () => /documents\/(.*)\?/.exec(page.url())?.[1];
  const approve = async (id: string): Promise<void> => {
    await page.locator(`a[href*="/${id}?"]`).click();
    await expect.poll(shownId).toBe(id);
    await page
      .getByRole('group', { name: 'Actions' })
      .getByText('Approve', { exact: true })
      .click();
    await expect.poll(shownId).not.toBe(id);
  };
  await approve('DOC-0169');
  await page.getByRole('link', { name: 'Back to All documents' }).click();
  await rowsOf(page).first().waitFor();
  await approve('DOC-0179');
  expect(shownId()).toBe('DOC-0159');
});

it('shows what follows a text that changes the direction as it is written', async () => {
  const { page, query } = await openList();
  const { data } = await query(
    'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { __typename } }',
    { input: { form: 'memo', tags: ['\u202ereversed', 'second'] } },
  );
  expect(data.createDocument.__typename).toBe('CreateDocumentPayload');
  await page.getByRole('link', { name: 'All documents' }).click();
  const tag = page.locator('.document-row-detail', { hasText: 'second' });
  const ends = await tag.evaluate((element) => {
    const text = element.lastChild!;
    return ['s', 'd'].map((letter) => {
      const range = document.createRange();
      const start = text.textContent!.indexOf(letter);
      range.setStart(text, start);
      range.setEnd(text, start + 1);
      return range.getBoundingClientRect().x;
    });
  });
  expect(ends[0]).toBeLessThan(ends[1]!);
});
