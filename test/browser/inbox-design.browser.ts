/** @module-tag nightly */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { sendWaiting, startInbox } from './inbox.ts';

const narrow = { width: 360, height: 740 };

async function visitPage(path: string) {
  const gateway = await startInbox();
  const { page } = await visit(gateway.url);
  await page.goto(`${gateway.url}/app/${path}`);
  return { ...gateway, page };
}

const rowsOf = (page: Page): Locator => page.locator('tbody tr:not(:has(.skeleton))');

/** How far the content of a page reaches beyond its right edge, in pixels. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

it('shows at least 14 documents of 40 to 48 pixels without scrolling', async () => {
  const { page } = await visitPage('views/inbox');
  await rowsOf(page).first().waitFor();
  const boxes = await rowsOf(page).evaluateAll((rows) =>
    rows
      .map((row) => row.getBoundingClientRect())
      .map(({ bottom, height }) => ({ bottom, height })),
  );
  expect(boxes.filter(({ bottom }) => bottom <= 800).length).toBeGreaterThanOrEqual(14);
  for (const { height } of boxes) {
    expect(height).toBeGreaterThanOrEqual(40);
    expect(height).toBeLessThanOrEqual(48);
  }
});

/** Collects how much the page moves from its start on: the sum of all layout shifts. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const state = { shift: 0 };
    Object.assign(window, { state });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) state.shift += Reflect.get(entry, 'value') as number;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(async () => {
      // On a busy machine the page may never be idle.
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
      return (Reflect.get(window, 'state') as { shift: number }).shift;
    });
}

it.each([
  { path: 'views/inbox', content: 'DOC-0191' },
  { path: 'documents/DOC-0191', content: 'Copy paper A4' },
  { path: 'new', content: 'Create draft' },
])('moves almost nothing while it is loaded: $path', async ({ path, content }) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const shiftOf = await watchShifts(page);
  await page.route('**/graphql', async (route) => {
    // After the placeholder was painted.
    await page
      .locator('.skeleton')
      .first()
      .waitFor({ state: 'attached' })
      .catch(() => {});
    await route.continue();
  });
  await page.goto(`${url}/app/${path}`);
  await page.getByText(content).first().waitFor();
  expect(await shiftOf()).toBeLessThan(0.02);
});

it.each([1280, 360])('loads the list in its final shape: %d px', async (width) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.setViewportSize({ width, height: 740 });
  const released = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(`${url}/app/views/inbox`);
  /** Edges and heights of the first rows, and the left edges of their cells. */
  const shapeOf = () =>
    page.locator('tbody tr:nth-child(-n + 5)').evaluateAll((rows) =>
      rows.map((row) => {
        const cells = row.querySelectorAll('.document-row-title > *');
        const { y, height } = row.getBoundingClientRect();
        return [y, height, ...[...cells].map((cell) => cell.getBoundingClientRect().x)];
      }),
    );
  await page.locator('.skeleton').first().waitFor();
  const before = await shapeOf();
  expect(before.length).toBe(5);
  released.resolve();
  await page.getByText('DOC-0191').first().waitFor();
  expect(await shapeOf()).toEqual(before);
});

it('moves nothing when documents are selected, and preselects no action', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const shiftOf = await watchShifts(page);
  await page.goto(`${url}/app/views/inbox`);
  await rowsOf(page).first().waitFor();
  const before = await shiftOf();
  const box = await rowsOf(page).nth(1).boundingBox();
  for (const index of [0, 1, 3]) await rowsOf(page).nth(index).getByRole('checkbox').check();
  const bar = page.getByRole('form', { name: 'Selected documents' });
  await bar.getByText('3 selected').waitFor();
  expect(await rowsOf(page).nth(1).boundingBox()).toEqual(box);
  expect((await shiftOf()) - before).toBeLessThan(0.02);
  const { y, height } = (await bar.boundingBox())!;
  expect(y + height).toBeGreaterThan(700);
  expect(await bar.getByRole('button', { pressed: true }).count()).toBe(0);
  expect(await bar.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
});

it('shows the phase of a selected document on a background of its own', async () => {
  const { page } = await visitPage('views/inbox');
  const row = rowsOf(page).first();
  await row.getByRole('checkbox').check();
  const background = (locator: Locator) =>
    locator.evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await background(row.locator('.badge'))).not.toBe(await background(row));
});

it.each(['en', 'de'])('cuts off no phase and no name of a view: %s', async (language) => {
  const { page } = await visitPage('views/all');
  await rowsOf(page).first().waitFor();
  await page.locator('.language-menu').selectOption(language);
  const cut = await page
    .locator('tbody .badge .clip')
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
  const broken = await page.locator('tbody .badge .clip').evaluateAll((all) =>
    all
      .filter((one) => !one.textContent.includes(' '))
      .filter((one) => one.clientHeight > 2 * parseFloat(getComputedStyle(one).fontSize))
      .map((one) => one.textContent),
  );
  expect(broken).toEqual([]);
  const heights = await page
    .locator('.view-navigation li')
    .evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(new Set(heights).size).toBe(1); // each on one line
});

it('offers only actions that all selected documents allow', async () => {
  const { page } = await visitPage('views/all');
  const select = (state: string): Promise<void> =>
    rowsOf(page)
      .filter({ has: page.getByText(state, { exact: true }) })
      .first()
      .getByRole('checkbox')
      .check();
  await select('Approval');
  const bar = page.getByRole('form', { name: 'Selected documents' });
  const moves = bar.getByLabel('Action');
  await expect.poll(() => moves.innerText()).toContain('Suspend');
  expect(await moves.innerText()).not.toContain('Resume');
  await select('Suspended');
  await expect.poll(() => moves.innerText()).not.toContain('Suspend');
  expect(await moves.innerText()).toContain('Cancel the workflow');
  await bar.getByText('None of them awaits your response.').waitFor();
});

it('marks dates that have passed', async () => {
  const { page } = await visitPage('views/all');
  await rowsOf(page).first().waitFor();
  const due = rowsOf(page).locator('.document-row-due .due-passed').first();
  expect(await due.innerText()).toContain('Overdue');
  const colour = (locator: Locator) => locator.evaluate((one) => getComputedStyle(one).color);
  expect(await colour(due)).not.toBe(await colour(rowsOf(page).first()));
});

it('has the numbers of documents in the navigation', async () => {
  const { page, query } = await visitPage('views/inbox');
  const inbox = page.getByRole('navigation', { name: 'Views' }).getByRole('listitem').first();
  await expect.poll(() => inbox.innerText()).toMatch(/^Inbox\s+26$/);
  await rowsOf(page).first().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByLabel('Why do you decline them?').fill('Wrong.');
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await expect.poll(() => inbox.innerText()).toMatch(/^Inbox\s+25$/);
  await sendWaiting(page);
  await page.locator('.toast').waitFor({ state: 'detached' });
  const { data } = await query('{ documents(view: INBOX, first: 1) { totalCount } }');
  expect(data.documents.totalCount).toBe(25);
});

it('leads the focus through the page from the top', async () => {
  const { page } = await visitPage('views/inbox');
  await rowsOf(page).first().waitFor();
  const names: string[] = [];
  for (let i = 0; i < 24; i++) {
    await page.keyboard.press('Tab');
    names.push(
      await page.locator(':focus').evaluate((element) => {
        const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
        return element.id === '' || text !== '' ? text.trim() : element.tagName;
      }),
    );
  }
  const order = [
    'Skip to content',
    'DMS gateway',
    'New document',
    'Playground',
    'Inbox',
    'All documents',
    'Next',
    'Search supplier, number or amount',
    'Form',
    'Tags',
    'More',
    'Created',
    'Due',
    'Select Invoice RE-2026-0058 of Acme Tools Ltd',
  ];
  const positions = order.map((name) => names.indexOf(name));
  expect(positions, `order: ${names.join(' → ')}`).toEqual(positions.toSorted((a, b) => a - b));
  expect(positions, `order: ${names.join(' → ')}`).not.toContain(-1);
});

it('shows the first document in the upper third of a narrow screen, and nothing beyond its edge', async () => {
  const { page } = await visitPage('views/inbox');
  await page.setViewportSize(narrow);
  await rowsOf(page).first().waitFor();
  expect((await rowsOf(page).first().boundingBox())!.y).toBeLessThan(narrow.height / 3);
  expect(await overflowOf(page)).toBe(0);
  expect(await page.getByLabel('Phase', { exact: true }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Phase', { exact: true }).selectOption('Signing');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter' }).getByText('1').waitFor();

  const menu = page.getByRole('button', { name: 'Menu' });
  const language = page.getByLabel('Language');
  expect(await language.isVisible()).toBe(false);
  await menu.click();
  for (const shown of [
    page.getByLabel('Signed in as'),
    language,
    page.getByRole('button', { name: 'REST calls' }),
    page.getByRole('link', { name: 'Playground' }),
  ]) {
    expect(await shown.isVisible()).toBe(true);
  }
  await page.getByRole('button', { name: 'REST calls' }).click();
  await page.getByRole('region', { name: 'Cost of this screen' }).waitFor();
  expect(await overflowOf(page)).toBe(0);
});

it.each(['views/inbox', 'documents/DOC-0191', 'new'])(
  'has targets for fingers on a narrow screen: %s',
  async (path) => {
    const { page } = await visitPage(path);
    await page.setViewportSize(narrow);
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, select, .button, nav a, input')].flatMap(
        (element) => {
          const box = element.matches('[type="checkbox"]') ? element.closest('td, label') : element;
          const { width, height } = (box ?? element).getBoundingClientRect();
          if (width === 0 || element.closest('.visually-hidden') || element.hidden) return [];
          return width >= 44 && height >= 43.5 ? [] : [`${element.outerHTML} ${width} × ${height}`];
        },
      ),
    );
    expect(small).toEqual([]);
  },
);

const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'views/inbox': async (page) => {
    await page.getByRole('button', { name: 'Menu' }).click();
  },
  'views/all?status=2': async (page) => {
    await page.getByRole('button', { name: 'Filter' }).click();
  },
  'views/all?tags=none': async (page) => {
    await page.getByText('No document matches the filter.').waitFor();
  },
  'documents/DOC-0191': async (page) => {
    await page.getByRole('button', { name: 'Change Lines' }).click();
    await page.getByRole('button', { name: 'Decline…' }).click();
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
  },
  'documents/DOC-9999': async (page) => {
    await page.getByText('The document does not exist').waitFor();
  },
  new: async (page) => {
    await page.getByLabel('Form').selectOption('Supplier invoice');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByText('Enter a value.').first().waitFor();
    await page.getByRole('combobox', { name: 'Supplier' }).fill('a');
    await page.getByRole('listbox').waitFor();
  },
};

it.each(['light', 'dark'] as const)('passes axe on a narrow screen, %s', async (colorScheme) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(narrow);
  for (const [path, show] of Object.entries(states)) {
    await page.goto(`${url}/app/${path}`);
    await page.locator('h1').waitFor();
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    await show(page);
    expect(await findViolations(page), `at ${path}`).toEqual([]);
    expect(await overflowOf(page), `at ${path}`).toBe(0);
  }
});

it('offers the way back from a document that does not exist', async () => {
  const { page, url } = await visitPage('views/archive?status=7');
  await rowsOf(page).first().getByRole('link').click();
  await page.getByRole('link', { name: 'Back to Archive' }).click();
  await page.waitForURL(`${url}/app/views/archive?status=7`);
  await page.goto(`${url}/app/documents/DOC-9999`);
  await page.getByText('The document does not exist').waitFor();
  await page.getByRole('link', { name: 'Back to Inbox' }).click();
  await page.waitForURL(`${url}/app/views/inbox`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect.poll(() => heading.innerText()).toBe('Inbox');
});

it('says once why nothing can be shown, with one button', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  let failure: object | null = null;
  await page.route('**/graphql', (route) =>
    failure ? route.fulfill({ json: { errors: [failure] } }) : route.abort(),
  );
  const banner = page.getByRole('region', { name: 'Connection' });
  await page.goto(`${url}/app/views/inbox`);
  await banner.getByText('The gateway cannot be reached.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByRole('main').getByRole('button', { name: /^Try/ }).count()).toBe(1);
  failure = { message: 'Signed out.', extensions: { code: 'UNAUTHENTICATED' } };
  await banner.getByRole('button', { name: 'Try now' }).click();
  await banner.getByText('You are signed out.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('shows a file with its type and size, and the first one at once', async () => {
  const { page } = await visitPage('documents/DOC-0200');
  const files = page.getByRole('region', { name: 'Files' });
  await files.getByText(/^PDF file · \d+ kB$/).waitFor();
  const preview = files.locator('iframe[src^="blob:"]');
  await preview.waitFor();
  expect(await preview.getAttribute('title')).toBe('Records.pdf');
});

it('loads at most 215 kB of compressed script', async () => {
  const directory = fileURLToPath(new URL('../../examples/inbox/dist/assets', import.meta.url));
  const scripts = (await readdir(directory)).filter((name) => name.endsWith('.js'));
  const sizes = scripts.map(
    async (name) => gzipSync(await readFile(`${directory}/${name}`)).length,
  );
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(215_000);
});

it.each(['views/all', 'documents/DOC-0191', 'new'])(
  'has no native control beside those of the page: %s',
  async (path) => {
    const { page } = await visitPage(path);
    if (path === 'new') await page.getByLabel('Form').selectOption('Supplier invoice');
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    await page.keyboard.press('?');
    await page.getByLabel('Use these shortcuts').waitFor();
    const native = await page
      .locator('select:not([multiple]), input[type="checkbox"], input[type="radio"]')
      .evaluateAll((all) =>
        all
          .filter((one) => getComputedStyle(one).appearance !== 'none')
          .map((one) => one.outerHTML),
      );
    expect(native).toEqual([]);
  },
);

it.each(['en', 'de'])(
  'shows each view with its number on a narrow screen: %s',
  async (language) => {
    const { page } = await visitPage('views/inbox');
    await page.evaluate((code) => localStorage.setItem('inbox.language', code), language);
    await page.setViewportSize(narrow);
    await page.reload();
    const counts = page.locator('.view-navigation .view-count');
    await expect.poll(() => counts.allInnerTexts()).toEqual(['26', '90', '16', '38', '200']);
    const boxes = await page.locator('.view-navigation').evaluate((element) =>
      [...element.querySelectorAll('li')].map((item) => {
        const [icon, label, count] = ['.icon', 'a span', '.view-count'].map((selector) =>
          item.querySelector(selector)!.getBoundingClientRect(),
        );
        return { icon: icon!, label: label!, count: count!, item: item.getBoundingClientRect() };
      }),
    );
    for (const { icon, label, count, item } of boxes) {
      expect(count.left).toBeGreaterThanOrEqual(icon.right); // beside the icon
      expect(count.bottom).toBeLessThanOrEqual(label.top + 1); // above the name
      expect(count.right).toBeLessThanOrEqual(item.right);
      expect(label.right).toBeLessThanOrEqual(item.right + 1);
    }
  },
);
