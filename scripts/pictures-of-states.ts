/**
 * Takes pictures of each state of the inbox and the playground at three widths, in light and dark, to look at. They go to
 * `.pictures/`, which is not committed.
 *
 *     npm run docs:pictures -- --states [--person usr-ann] [--language de] [name…]
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const sizes = [
  { width: 1280, height: 800 },
  { width: 600, height: 800 },
  { width: 360, height: 740 },
] as const;

/** Shows a state, in any language. @param url the address of the inbox, with a slash */
type State = (page: Page, url: string) => Promise<void>;

const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.locator('h1').waitFor();
  await settled(page);
};

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.waitForLoadState('networkidle', { timeout: 1000 }).catch(() => {}); // a subscription stays open
}

const isNarrow = (page: Page): boolean => page.viewportSize()!.width < 896;

/** Puts a form of the actions of a document into the page. @param index of its button, of which the narrow bar hides some */
async function openForm(page: Page, index: number): Promise<void> {
  const more = page.locator('.more-actions-button');
  if (await more.isVisible()) await more.click();
  await page.locator('.more-actions .button').nth(index).click();
  await page.locator('.action-panel form').waitFor();
  await settled(page);
}

async function showMenu(page: Page): Promise<void> {
  if (isNarrow(page)) await page.locator('.app-menu-button').click();
}

/** Shows the list while each request for data has this response. */
const listWith =
  (response: object | 'none', shown: string): State =>
  async (page, url) => {
    await page.route('**/graphql', async (route) => {
      if (response === 'none') await route.abort();
      else await route.fulfill({ json: response });
    });
    await page.goto(`${url}app/views/inbox`);
    await page.locator(shown).first().waitFor();
  };

const loading =
  (path: string): State =>
  async (page, url) => {
    await page.route('**/graphql', () => {});
    await page.goto(`${url}${path}`);
    await page.locator('.skeleton').first().waitFor();
  };

const failure = (code: string): object => ({
  errors: [{ message: 'Failed.', extensions: { code } }],
});

/** Opens the form of an invoice, and sends it without the required values. */
async function createInvoice(page: Page, url: string): Promise<void> {
  await open(page, `${url}app/new`);
  const value = await page
    .locator('.create-form option', { hasText: /invoice|Eingangsrechnung/i })
    .getAttribute('value');
  await page.locator('.create-form select').first().selectOption(value);
  await page.locator('.create-form [name="total"]').fill('1250');
  await page.locator('.table-field tbody input').first().waitFor();
  await page
    .locator('.table-field tbody input')
    .first()
    .evaluate((input) => {
      const clipboardData = new DataTransfer();
      const cells = '1\tToner cartridge\t2\t89.90\t179.80\n2\tCopy paper A4\t40\t4.20\t168.00';
      clipboardData.setData('text/plain', cells);
      const init = { clipboardData, bubbles: true, cancelable: true };
      input.dispatchEvent(new ClipboardEvent('paste', init));
    });
  await page.locator('.create-form [type="submit"]').click();
  await settled(page);
}

const openPlayground = async (page: Page, url: string): Promise<void> => {
  await page.addInitScript(() => localStorage.clear()); // what an earlier state has opened
  await page.goto(`${url}graphql`);
  await page.locator('.editors .view-line').first().waitFor();
  await page.locator('.people').waitFor();
  await page.locator('.cost', { hasText: 'REST' }).waitFor();
};

async function runFirst(page: Page, url: string): Promise<void> {
  await openPlayground(page, url);
  await page.locator('.start .button').click();
  await page.locator('.calls tbody tr').first().waitFor();
}

async function openPane(page: Page, url: string, name: string): Promise<void> {
  await openPlayground(page, url);
  await page.getByRole('button', { name, exact: true }).click();
  await page.locator('.pane').waitFor();
}

const states: Readonly<Record<string, State>> = {
  list: (page, url) => open(page, `${url}app/views/inbox`),
  all: (page, url) => open(page, `${url}app/views/all`),
  filtered: (page, url) => open(page, `${url}app/views/all?state=10&status=2&tags=finance`),
  empty: (page, url) => open(page, `${url}app/views/all?tags=none`),
  selected: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    for (const index of [0, 2, 3]) await page.locator('tbody [type="checkbox"]').nth(index).check();
    await page.locator('.bulk-response, .bulk-moves, .bulk p').first().waitFor();
    await page.locator('.bulk-response').first().click({ timeout: 2000 });
  },
  'switching-views': async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await page.route('**/graphql', () => {});
    await page.locator('nav a[href="/app/views/archive"]').click();
    await page.locator('.skeleton').first().waitFor();
  },
  mixed: async (page, url) => {
    await open(page, `${url}app/views/all`);
    for (const index of [0, 3, 7]) await page.locator('tbody [type="checkbox"]').nth(index).check();
    await page.locator('.bulk-response, .bulk-moves, .bulk p').first().waitFor();
  },
  keys: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    await page.locator('dialog').waitFor();
  },
  current: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    for (const key of ['j', 'j', 'x', 'j']) await page.keyboard.press(key);
  },
  search: async (page, url) => {
    await open(page, `${url}app/views/all`);
    await page.locator('.document-search input').fill('DOC-0191');
    await page.locator('.combobox-list').waitFor();
  },
  loading: loading('app/views/inbox'),
  failed: listWith(failure('INTERNAL_SERVER_ERROR'), '[role="alert"]'),
  'dms-down': listWith(failure('UPSTREAM_UNAVAILABLE'), '.connection-banner'),
  offline: listWith('none', '.connection-banner'),
  'signed-out': listWith(failure('UNAUTHENTICATED'), '.connection-banner'),
  document: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await page.locator('#values-heading').waitFor();
    await page.locator('.file-viewer :is(iframe, img, pre, p)').first().waitFor();
  },
  'document-below': async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await page.locator('#values-heading').waitFor();
    await page.locator('#recognition-heading').evaluate((element) => element.scrollIntoView());
  },
  contract: (page, url) => open(page, `${url}app/documents/DOC-0182`),
  pdf: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0200`);
    await page.locator('.file-viewer iframe').waitFor();
    await page.locator('#files-heading').evaluate((element) => element.scrollIntoView());
  },
  image: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0186`);
    await page.locator('.file-list li', { hasText: '.png' }).locator('button').first().click();
    await page.locator('.file-viewer img').waitFor();
    await page.locator('.file-list').evaluate((element) => element.scrollIntoView());
  },
  'document-loading': loading('app/documents/DOC-0191'),
  respond: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await openForm(page, 0);
  },
  'undo-response': async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await page.locator('tbody a').first().click();
    await page.locator('.action-bar .button-primary').click();
    await page.locator('.toast').waitFor();
    await settled(page);
  },
  'own-draft': async (page, url) => {
    await open(page, `${url}app/views/my-documents?state=0`);
    await page.locator('tbody a').first().click();
    await page.locator('.action-bar .button').first().waitFor();
  },
  print: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await page.locator('#values-heading').waitFor();
    await page.emulateMedia({ media: 'print' });
  },
  move: async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await openForm(page, 1);
  },
  unknown: (page, url) => open(page, `${url}app/documents/DOC-9999`),
  'unknown-page': (page, url) => open(page, `${url}app/nothing`),
  'create-empty': (page, url) => open(page, `${url}app/new`),
  create: createInvoice,
  'create-table': async (page, url) => {
    await createInvoice(page, url);
    await page.locator('.table-field').evaluate((element) => element.scrollIntoView());
  },
  'create-supplier': async (page, url) => {
    await createInvoice(page, url);
    await page.locator('.create-form [role="combobox"]').first().fill('a');
    await page.locator('[role="listbox"]').waitFor();
  },
  draft: async (page, url) => {
    await createInvoice(page, url);
    await page.reload();
    await settled(page);
  },
  calls: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await showMenu(page);
    await page.locator('#app-menu [aria-expanded]').click();
  },
  'calls-document': async (page, url) => {
    await open(page, `${url}app/documents/DOC-0191`);
    await showMenu(page);
    await page.locator('#app-menu [aria-expanded]').click();
  },
  menu: async (page, url) => {
    await open(page, `${url}app/views/inbox`);
    await showMenu(page);
  },
  filters: async (page, url) => {
    await open(page, `${url}app/views/all`);
    const button = page.locator('.toolbar-filter-button');
    if (await button.isVisible()) await button.click();
    else await page.locator('.more-conditions summary').click();
  },
  playground: openPlayground,
  'playground-run': runFirst,
  'playground-calls': async (page, url) => {
    await runFirst(page, url);
    await page.locator('.calls').evaluate((element) => element.scrollIntoView());
  },
  'playground-table': async (page, url) => {
    await runFirst(page, url);
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.locator('.result').evaluate((element) => element.scrollIntoView());
  },
  'playground-failed': async (page, url) => {
    await openPlayground(page, url);
    await page.route('**/graphql', (route) => route.abort());
    await page.locator('.start .button').click();
    await page.locator('.result .notice').waitFor();
  },
  'playground-documentation': (page, url) => openPane(page, url, 'Documentation'),
  'playground-examples': (page, url) => openPane(page, url, 'Examples'),
  'playground-search': async (page, url) => {
    await openPane(page, url, 'Examples');
    await page.keyboard.type('document');
  },
  'playground-variables': async (page, url) => {
    await openPane(page, url, 'Examples');
    await page.keyboard.type('Suspend');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.locator('.calls tbody tr').first().waitFor();
  },
};

interface PictureOptions {
  /** The address of the inbox, with a slash. */
  readonly url: string;
  readonly directory: string;
  /** States to take. Empty: all. */
  readonly names: readonly string[];
  /** System ID of the person of the inbox. Default: the service account. */
  readonly person?: string | undefined;
  readonly language?: string | undefined;
}

/** Takes the pictures of the named states, or of all. */
export async function takePicturesOfStates(
  browser: BrowserContext,
  { url, directory, names, person, language }: PictureOptions,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await browser.addInitScript(
    ([id, code]) => {
      if (location.protocol !== 'http:') return; // the viewer of files
      if (id !== undefined) sessionStorage.setItem('inbox.person', id);
      if (code !== undefined) localStorage.setItem('inbox.language', code);
    },
    [person, language] as const,
  );
  const suffix = [person, language].filter(Boolean).map((part) => `-${part}`);
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
        const file = `${name}${suffix.join('')}-${size.width}-${colorScheme}.png`;
        await page.screenshot({ path: join(directory, file), scale: 'css' });
      }
      await page.close();
    }
  }
}
