/**
 * Takes pictures of each state of the inbox at three widths, in light and dark, to look at. They go to `.pictures/`, which
 * is not committed.
 *
 *     npm run docs:pictures -- --states [name…]
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const sizes = [
  { width: 1280, height: 800 },
  { width: 600, height: 800 },
  { width: 360, height: 740 },
] as const;

/** Opens a state of the inbox at its URL. */
type State = (page: Page, url: string) => Promise<void>;

const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.locator('h1').waitFor();
  await settled(page);
};

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

const isNarrow = (page: Page): boolean => page.viewportSize()!.width < 896;

async function showMenu(page: Page): Promise<void> {
  if (isNarrow(page)) await page.getByRole('button', { name: 'Menu' }).click();
}

const states: Readonly<Record<string, State>> = {
  list: (page, url) => open(page, `${url}app/views/inbox`),
  filtered: (page, url) => open(page, `${url}app/views/all?state=10&status=2&tags=finance`),
  empty: (page, url) => open(page, `${url}app/views/all?tags=none`),
  selected: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    for (const index of [0, 2, 3]) await page.getByRole('checkbox').nth(index).check();
    await page
      .getByRole('button', { name: 'Approve' })
      .or(page.getByLabel('Action'))
      .first()
      .click();
  },
  keys: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },
  loading: async (page, url) => {
    await page.route('**/graphql', () => {});
    await page.goto(`${url}app/views/inbox`);
    await page.locator('.skeleton').first().waitFor();
  },
  failed: async (page, url) => {
    await page.route('**/graphql', (route) =>
      route.fulfill({ json: { errors: [{ message: 'Failed.' }] } }),
    );
    await page.goto(`${url}app/views/inbox`);
    await page.getByRole('alert').waitFor();
  },
  offline: async (page, url) => {
    await page.route('**/graphql', (route) => route.abort());
    await page.goto(`${url}app/views/inbox`);
    await page.getByRole('region', { name: 'Connection' }).waitFor();
  },
  document: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await page.getByRole('heading', { name: 'Values' }).waitFor();
  },
  recognition: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await page.locator('.recognition iframe').waitFor();
    await page.locator('.recognition').evaluate((element) => element.scrollIntoView());
  },
  'document-loading': async (page, url) => {
    await page.route('**/graphql', () => {});
    await page.goto(`${url}app/documents/DOC-0191`);
    await page.locator('.skeleton').first().waitFor();
  },
  respond: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await page.getByRole('button', { name: 'Approve with changes' }).click();
    await page.getByLabel('Comment').waitFor();
  },
  unknown: (page, url) => open(page, `${url}app/documents/DOC-9999`),
  create: async (page, url) => {
    await open(page, `${url}app/new`);
    await page.getByLabel('Form').selectOption('Supplier invoice');
    await page.getByRole('button', { name: 'Create document' }).click();
  },
  calls: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await showMenu(page);
    await page.getByRole('button', { name: 'REST calls' }).click();
  },
  menu: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await showMenu(page);
  },
  filters: async (page, url) => {
    await open(page, `${url}app/views/all`);
    if (isNarrow(page)) await page.getByRole('button', { name: 'Filter' }).click();
    else await page.getByText('More', { exact: true }).click();
  },
};

/** Takes the pictures of the named states, or of all. @param url the address of the inbox, with a slash */
export async function takePicturesOfStates(
  browser: BrowserContext,
  { url, directory, names }: { url: string; directory: string; names: readonly string[] },
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const chosen = Object.entries(states).filter(
    ([name]) => names.length === 0 || names.includes(name),
  );
  for (const [name, show] of chosen) {
    for (const size of sizes) {
      const page = await browser.newPage();
      await page.setViewportSize(size);
      await show(page, url).catch((error: unknown) => {
        process.stderr.write(`${name}, ${size.width} px: ${String(error)}\n`);
      });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const file = `${name}-${size.width}-${colorScheme}.png`;
        await page.screenshot({ path: join(directory, file), scale: 'css' });
      }
      await page.close();
    }
  }
}
