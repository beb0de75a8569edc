import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dropFile, visit, type BrowserOptions } from './browser.ts';
import { asksBeforeEnd, startInbox, stopClock } from './inbox.ts';

/** Opens the first document of the inbox from the list. Its clock stands still. */
async function openFirst(options: BrowserOptions & { readonly language?: 'en' | 'de' } = {}) {
  const { language = 'en', ...browserOptions } = options;
  const gateway = await startInbox();
  const { page } = await visit(gateway.url, browserOptions);
  await page.addInitScript((code) => {
    if (location.protocol === 'http:') localStorage.setItem('inbox.language', code);
  }, language);
  await page.goto(`${gateway.url}/app/views/inbox`);
  await page.getByRole('link', { name: /^Invoice RE-2026-0058/ }).click();
  await approveOf(page).waitFor();
  await stopClock(page);
  const waitingIn = async (): Promise<number> => {
    const { data } = await gateway.query('{ documents(view: INBOX, first: 1) { totalCount } }');
    return data.documents.totalCount;
  };
  return { ...gateway, page, waitingIn };
}

const approveOf = (page: Page) =>
  page
    .getByRole('group', { name: /^(?:Actions|Aktionen)$/ })
    .getByRole('button', { name: /^(?:Approve|Freigeben)$/ });
/** The usual action: the clerk's next documents are in other phases. */
const usualOf = (page: Page) =>
  page.getByRole('group', { name: 'Actions' }).locator('.button-primary');
const titleOf = (page: Page) => page.getByRole('heading', { level: 1 });
const toastOf = (page: Page) => page.locator('.toast');
const second = /RE-2026-0054/;

/** What the toast says. Apollo Client passes changes of its cache on with a timer. */
async function textOf(page: Page): Promise<string> {
  await page.clock.runFor(1);
  return toastOf(page).innerText();
}

/** Presses a key and holds it, as the keyboard repeats it. */
async function hold(page: Page, key: string, times = 30): Promise<void> {
  for (let i = 0; i < times; i++) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

it('approves one document with a held key', async () => {
  const { page, waitingIn } = await openFirst();
  await hold(page, 'a');
  await expect.poll(() => titleOf(page).innerText()).toMatch(second);
  await approveOf(page).waitFor();
  await page.clock.runFor(1000);
  await expect.poll(() => approveOf(page).isEnabled()).toBe(true);
  await hold(page, 'a', 3); // a new press is a new decision, and only one
  await expect.poll(() => titleOf(page).innerText()).toBe('Server maintenance');
  await usualOf(page).waitFor();
  const isSettled = async () => {
    await page.clock.runFor(600);
    return usualOf(page).isEnabled();
  };
  await expect.poll(isSettled).toBe(true);
  await page.keyboard.down('a');
  await page.keyboard.up('a');
  await page.clock.runFor(10_000);
  await expect.poll(waitingIn).toBe(23);
});

it.each([250, 450])('approves one document with a double click of %d ms', async (ms) => {
  const { page, waitingIn } = await openFirst({ language: 'de' });
  const { x, y, width, height } = (await approveOf(page).boundingBox())!;
  const [left, top] = [x + width / 2, y + height / 2];
  await page.mouse.click(left, top);
  await expect.poll(() => titleOf(page).innerText()).toMatch(second);
  await approveOf(page).waitFor();
  await page.clock.runFor(ms);
  await page.mouse.click(left, top);
  expect(await titleOf(page).innerText()).toMatch(second);
  await page.clock.runFor(600);
  await expect.poll(() => approveOf(page).isEnabled()).toBe(true);
  await page.clock.runFor(10_000);
  await expect.poll(waitingIn).toBe(25);
});

it('presses a focused button once while Enter is held', { tags: ['nightly'] }, async () => {
  const { page, waitingIn } = await openFirst();
  await approveOf(page).focus();
  await hold(page, 'Enter');
  await expect.poll(() => titleOf(page).innerText()).toMatch(second);
  await page.clock.runFor(10_000);
  await expect.poll(waitingIn).toBe(25);
});

it('takes back everything that waits', async () => {
  const { page, waitingIn } = await openFirst();
  for (const title of [second, /^Server maintenance$/]) {
    await usualOf(page).click();
    await expect.poll(() => titleOf(page).innerText()).toMatch(title);
    await usualOf(page).waitFor();
    await page.clock.runFor(700);
  }
  await expect.poll(() => textOf(page)).toContain('24 left');
  await toastOf(page).getByRole('button', { name: 'Undo all 2' }).click();
  await expect.poll(() => titleOf(page).innerText()).toMatch(/RE-2026-0058/);
  await toastOf(page).waitFor({ state: 'detached' });
  await page.clock.runFor(10_000);
  expect(await waitingIn()).toBe(26);
});

it.each(['reload', 'close', 'sleep'] as const)(
  'sends an approval that waits for undo before the page ends: %s',
  async (how) => {
    // The shell without windows ends a page without its last events.
    const { page, waitingIn } = await openFirst({ showsPdf: how === 'close' });
    await approveOf(page).click();
    await toastOf(page).waitFor();
    expect(await waitingIn()).toBe(26);
    // A browser does not wait for a page that is busy, such as with a PDF.
    await page.getByRole('link', { name: 'Back to Inbox' }).click();
    await page.getByText('DOC-0179').first().waitFor();
    if (how === 'reload') await page.reload();
    else if (how === 'close') await page.close({ runBeforeUnload: true });
    else await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
    await expect.poll(waitingIn).toBe(25);
  },
);

it.each([1280, 360])(
  'shows one number, and no row, while an approval waits: %d px',
  { tags: ['nightly'] },
  async (width) => {
    const { page, waitingIn } = await openFirst();
    await page.setViewportSize({ width, height: 740 });
    await approveOf(page).click();
    await expect.poll(() => textOf(page)).toContain('25 left');
    await page.getByRole('link', { name: 'Back to Inbox' }).click();
    await page.getByText('DOC-0179').first().waitFor();
    const rows = page.locator('tbody tr');
    const says = async () => {
      await page.clock.runFor(1);
      return {
        rows: await rows.filter({ hasText: 'DOC-0191' }).count(),
        count: await page.locator('.view-count').first().innerText(),
        summary: /of (\d+)/.exec(await page.locator('.list-summary').innerText())?.[1],
      };
    };
    await expect.poll(says).toEqual({ rows: 0, count: '25', summary: '25' });
    expect(await textOf(page)).toContain('25 left');
    await page.clock.runFor(5000);
    await expect.poll(waitingIn).toBe(25);
    await expect.poll(says).toEqual({ rows: 0, count: '25', summary: '25' });
    expect(await textOf(page)).toContain('25 left');
    await page.clock.runFor(5000);
    await toastOf(page).waitFor({ state: 'detached' });
    await expect.poll(says).toEqual({ rows: 0, count: '25', summary: '25' });
  },
);

it('keeps its keys after a click into the PDF', { tags: ['nightly'] }, async () => {
  const { page } = await openFirst({ showsPdf: true });
  await page.clock.resume();
  const first = /RE-2026-0058/;
  for (const [key, title] of [
    ['j', second],
    ['k', first],
    ['j', second],
  ] as const) {
    const frame = page.locator('.file-viewer iframe[src^="blob:"]');
    await frame.waitFor();
    const blur = page.evaluate(
      () => new Promise((resolve) => window.addEventListener('blur', resolve, { once: true })),
    );
    let hasTakenFocus = false;
    void blur.then(() => (hasTakenFocus = true));
    // The viewer takes no clicks before it has been loaded.
    const click = async () => {
      await frame.click({ position: { x: 200, y: 200 } });
      return hasTakenFocus;
    };
    await expect.poll(click).toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.keyboard.press(key);
    await expect.poll(() => titleOf(page).innerText()).toMatch(title);
  }
});

it('has its keys in a layout without Latin letters', { tags: ['nightly'] }, async () => {
  const { page } = await openFirst();
  const press = (key: string, code: string, shiftKey = false) =>
    page.evaluate(
      (init) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })),
      { key, code, shiftKey },
    );
  await press('о', 'KeyJ');
  await expect.poll(() => titleOf(page).innerText()).toMatch(second);
  await press('л', 'KeyK');
  await expect.poll(() => titleOf(page).innerText()).toMatch(/RE-2026-0058/);
  await approveOf(page).waitFor();
  await page.clock.runFor(600);
  await press('ф', 'KeyA');
  await expect.poll(() => titleOf(page).innerText()).toMatch(second);
  await press('г', 'KeyU');
  await expect.poll(() => titleOf(page).innerText()).toMatch(/RE-2026-0058/);
  await press(',', 'Slash', true);
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
});

it('covers the selection bar with no toast', { tags: ['nightly'] }, async () => {
  const { page } = await openFirst();
  await approveOf(page).click();
  await page.getByRole('link', { name: 'Back to Inbox' }).click();
  await page.locator('tbody tr').first().getByRole('checkbox').check();
  const [toast, bar] = await Promise.all(
    ['.toast', '.bulk'].map((selector) => page.locator(selector).boundingBox()),
  );
  expect(toast!.y + toast!.height).toBeLessThan(bar!.y);
});

it.each([
  { length: 7000, asks: false },
  { length: 70_000, asks: true },
])(
  'asks before a reason of $length letters is lost: $asks',
  { tags: ['nightly'] },
  async ({ length, asks }) => {
    const { page } = await openFirst();
    await page.getByRole('button', { name: 'Decline…' }).click();
    await page.getByLabel('Why do you decline it?').fill('x'.repeat(length));
    await page.clock.runFor(600);
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await toastOf(page).waitFor();
    expect(await asksBeforeEnd(page)).toBe(asks);
  },
);

it('is not replaced by a file that is dropped', { tags: ['nightly'] }, async () => {
  const { page } = await openFirst();
  expect(await dropFile(page)).toEqual([true, true]);
});
