import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { editorOf, execute, openExample, openPlayground, tabsOf, type } from './playground.ts';

const create =
  'mutation New { createDocument(input: { form: "memo" }) { ... on CreateDocumentPayload { document { shortId } } } }';

/** Writes a mutation, without running it, and holds its requests back until `release` is called. */
async function holdMutations(page: Page) {
  const sent: string[] = [];
  const released = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON() as { readonly query: string };
    if (body.query.startsWith('mutation')) {
      sent.push(body.query);
      await released.promise;
    }
    await route.continue().catch(() => {});
  });
  await type(page, create);
  return { sent, release: released.resolve };
}

/** Holds a key for some repetitions of the keyboard. */
async function hold(page: Page, key: string, modifier?: string): Promise<void> {
  if (modifier) await page.keyboard.down(modifier);
  for (let i = 0; i < 30; i += 1) await page.keyboard.down(key); // all after the first repeat
  await page.keyboard.up(key);
  if (modifier) await page.keyboard.up(modifier);
}

/** What the test adds to the page. */
interface Clock {
  readonly pass: (ms: number) => void;
}

describe('a mutation is sent once', () => {
  it('by Ctrl+Enter that is held', async () => {
    const { page, gateway, result } = await openPlayground();
    await type(page, create);
    await hold(page, 'Enter', 'Control');
    await result.getByText('"shortId"').waitFor();
    const posts = gateway.requests.filter((line) => line.startsWith('POST /api/v2/docForm'));
    expect(posts).toHaveLength(1);
  });

  it('by Enter that is held on the button, and by a double click', async () => {
    const { page, result } = await openPlayground();
    const { sent, release } = await holdMutations(page);
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.focus();
    await hold(page, 'Enter');
    expect(await run.getAttribute('aria-disabled')).toBe('true');
    await run.dblclick({ force: true }); // Playwright waits for buttons that are enabled
    release();
    await result.getByText('"shortId"').waitFor();
    expect(sent).toHaveLength(1);
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  it(
    'by keys that are pressed again before and just after its result, which stays',
    { tags: ['nightly'] },
    async () => {
      const { page, result } = await openPlayground();
      const { sent, release } = await holdMutations(page);
      // The time of the page is that of the test from here on.
      await page.evaluate(() => {
        let ms = performance.now();
        performance.now = () => ms;
        Object.assign(globalThis, { pass: (more: number) => (ms += more) });
      });
      const pass = (ms: number) =>
        page.evaluate((more) => (globalThis as unknown as Clock).pass(more), ms);
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Control+Enter');
      release();
      const shownId = async () => /"shortId":\s"(DOC-\d+)"/.exec(await result.innerText())?.[1];
      await expect.poll(shownId).toBeDefined();
      const first = await shownId();
      await pass(499);
      await page.keyboard.press('Control+Enter');
      await expect.poll(shownId).toBe(first);
      expect(sent).toHaveLength(1);
      await pass(1);
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => sent.length).toBe(2);
      await expect.poll(shownId).not.toBe(first);
    },
  );
});

it('Enter that is held opens one example', { tags: ['nightly'] }, async () => {
  const { page } = await openPlayground();
  await type(page, 'query Mine { viewer { runAs } }');
  await openExample(page, 'Unit');
  await page.getByRole('combobox', { name: 'Search examples' }).focus();
  await hold(page, 'Enter');
  await expect.poll(() => tabsOf(page).count()).toBe(2);
});

describe('the keyboard', { tags: ['nightly'] }, () => {
  it('leaves each editor with Tab, in both directions', async () => {
    const { page } = await openPlayground();
    await page.getByRole('button', { name: 'Variables' }).click();
    const focused = () =>
      page.evaluate(() => {
        const active = document.activeElement!;
        return active.ariaLabel ?? active.textContent;
      });
    await page.getByRole('textbox', { name: 'Operation' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Height of the operation');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toMatch(/^Operation/);
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Copy link');
    await page.getByRole('textbox', { name: 'Variables' }).focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Width of the operation');
    expect(await editorOf(page).locator('.view-lines').innerText()).toMatch(/^#.Reads.the.inbox/);
  });

  it('reaches the whole page and its end with Tab alone', async () => {
    const { page, result } = await openPlayground();
    await page.keyboard.press('Control+Enter');
    await result.getByText('"DOC-0191"').waitFor();
    const seen = new Set<string>();
    for (let i = 0; i < 60; i += 1) {
      await page.keyboard.press('Tab');
      seen.add(
        await page.evaluate(() => {
          const active = document.activeElement!;
          return `${active.tagName} ${active.ariaLabel ?? active.textContent.slice(0, 40)}`;
        }),
      );
    }
    const names = [...seen].join('\n');
    for (const name of ['Operation', 'Run', 'Copy link', 'Result', 'Keys', 'Inbox']) {
      expect(names).toContain(name);
    }
  });

  it('writes in the editor after a new tab, and after one is closed', async () => {
    const { page } = await openPlayground();
    await page.getByRole('button', { name: 'New tab' }).press('Enter');
    await page.keyboard.insertText('query Second { viewer { runAs } }');
    await tabsOf(page).filter({ hasText: 'Second' }).waitFor();
    await page.getByRole('button', { name: 'Close Second' }).press('Enter');
    await expect.poll(() => tabsOf(page).allInnerTexts()).toEqual(['Inbox']);
    const focus = page.getByRole('textbox', { name: 'Operation' });
    expect(await focus.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('has its shortcuts with another layout, such as the Ukrainian one', async () => {
    const { page, browser } = await openPlayground();
    const cdp = await browser.newCDPSession(page);
    await type(page, 'query Mine { viewer { runAs } }');
    await press(cdp, { key: 'З', code: 'KeyP', keyCode: 80 });
    await expect.poll(() => editorOf(page).locator('.view-line').count()).toBeGreaterThan(3); // formatted
  });

  it('runs the operation at the cursor, and keeps it after an edit', async () => {
    const { page, result } = await openPlayground();
    await execute(page, 'query One { __typename } query Two { viewer { runAs } }');
    await result.getByText('"viewer"').waitFor(); // the cursor is at the end
    const choice = page.getByRole('combobox', { name: 'Operation to run' });
    expect(await choice.inputValue()).toBe('Two');
    await page.keyboard.insertText(' # more');
    await tabsOf(page).filter({ hasText: 'Two' }).waitFor();
    expect(await choice.inputValue()).toBe('Two');
  });
});

/** Presses Control, Shift and a key of another layout. */
async function press(cdp: CDPSession, { key, code, keyCode }: Record<string, string | number>) {
  const event = {
    key: `${key}`,
    code: `${code}`,
    windowsVirtualKeyCode: Number(keyCode),
    modifiers: 10,
  };
  await cdp.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' });
  await cdp.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
}
