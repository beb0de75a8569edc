/** @module-tag nightly */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { callsOf, editorOf, execute, openPlayground, ready, resultOf, type } from './playground.ts';

const boxOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!;

describe('a pane', () => {
  it.each([1280, 1920])('covers nothing, and leaves the editor 560 pixels: %d', async (width) => {
    const { page } = await openPlayground({ width });
    for (const name of ['Documentation', 'Examples', 'History']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('complementary', { name }).waitFor();
      const pane = await boxOf(page, '.pane');
      const editor = await boxOf(page, '.editor-pane');
      const result = await boxOf(page, '.result-pane');
      expect(editor.width).toBeGreaterThanOrEqual(560);
      expect(pane.x + pane.width).toBeLessThanOrEqual(editor.x);
      expect(editor.x + editor.width).toBeLessThanOrEqual(result.x);
      expect(result.x + result.width).toBeLessThanOrEqual(width);
      expect(result.width).toBeGreaterThanOrEqual(300);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
});

describe('at 900 pixels', () => {
  it('closes a pane with Escape, after the text of its search', async () => {
    const { page } = await openPlayground({ width: 900 });
    const focused = page.locator(':focus');
    for (const name of ['Documentation', 'Examples', 'History']) {
      const pane = page.getByRole('complementary', { name });
      await page.getByRole('button', { name, exact: true }).click();
      await pane.waitFor();
      const search = pane.locator('input');
      if ((await search.count()) > 0) {
        await search.fill('inbox');
        await search.press('Escape');
        expect(await search.inputValue()).toBe('');
      }
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await pane.waitFor({ state: 'detached' });
      expect(await focused.innerText()).toBe(name);
    }
  });

  it('closes the dialog of keys first, and a pane from the editor', async () => {
    const { page } = await openPlayground({ width: 900 });
    const pane = page.getByRole('complementary', { name: 'History' });
    await page.getByRole('button', { name: 'History', exact: true }).click();
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await keys.waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    expect(await pane.isVisible()).toBe(true);
    const editor = page.getByRole('textbox', { name: 'Operation' });
    await editor.focus();
    const suggestions = page.locator('.suggest-widget.visible');
    await page.keyboard.press('Control+Space');
    await suggestions.waitFor();
    await page.keyboard.press('Escape');
    await suggestions.waitFor({ state: 'detached' });
    expect(await pane.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('has room for variables and headers', async () => {
    const { page, result } = await openPlayground({ width: 900 });
    await type(page, 'query Q($id: ID!) { document(id: $id) { shortId } }');
    for (const [name, text] of [
      ['Headers', '{ "x-request-id": "pane" }'],
      ['Variables', '{ "id": "DOC-0042" }'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator(`#input-${name.toLowerCase()}`).click();
      await page.keyboard.insertText(text);
      expect(await findViolations(page)).toEqual([]);
    }
    const sent = page.waitForRequest((request) => request.headers()['x-request-id'] === 'pane');
    await page.keyboard.press('Control+Enter');
    await sent;
    await result.getByText('"DOC-0042"').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(900);
  });
});

describe('the documentation', () => {
  it.each([
    ['INBOX', 'DocumentView.INBOX', 'DocumentView'],
    ['query.documents', 'Query.documents', 'documents'],
    ['Document.shortid', 'Document.shortId', 'shortId'],
  ] as const)('finds %s', async (text, label, title) => {
    const { page } = await openPlayground();
    await page.getByRole('button', { name: 'Documentation', exact: true }).click();
    const pane = page.getByRole('complementary', { name: 'Documentation' });
    await pane.getByRole('searchbox', { name: 'Search the documentation' }).fill(text);
    const found = pane.getByRole('listitem').first();
    expect(await found.innerText()).toBe(label);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const heading = pane.getByRole('heading', { name: title, exact: true });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    if (label === 'DocumentView.INBOX') await pane.getByText('INBOX', { exact: true }).waitFor();
    await pane.getByRole('button', { name: /^(?:Docs|Query|Document)$/ }).click();
    await heading.waitFor({ state: 'detached' });
    await pane.getByRole('searchbox').fill('no such name');
    await pane.getByText('Nothing in the schema has this name.').waitFor();
  });
});

describe('the history', () => {
  it('has the time and the person of each run, also after a reload', async () => {
    const { page, result } = await openPlayground();
    await page.getByLabel('Signed in as').selectOption({ label: 'Jonas Berg · Sales' });
    await execute(page, 'query Mine { viewer { runAs } }');
    await result.getByText('"usr-jonas"').waitFor();
    await page.getByLabel('Signed in as').selectOption({ label: 'Service account' });
    await execute(page, 'query All { documents(view: INBOX) { totalCount } }');
    await result.getByText('"totalCount"').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'History', exact: true }).click();
    const entries = page.getByRole('complementary', { name: 'History' }).getByRole('listitem');
    const year = new Date().getFullYear();
    await expect
      .poll(async () => (await entries.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
      .toEqual([
        expect.stringMatching(new RegExp(`^All .* ${year}, .* · Service account$`)),
        expect.stringMatching(new RegExp(`^Mine .* ${year}, .* · Jonas Berg$`)),
      ]);
  });
});

describe('errors', () => {
  it('are a list, and each leads to its line', async () => {
    const { page, result } = await openPlayground();
    await execute(page, 'query Broken {\n  viewer { runAs }\n  wrong\n  alsoWrong\n}');
    const errors = result.getByRole('list', { name: 'Errors' }).getByRole('listitem');
    await errors.nth(1).waitFor();
    expect(await errors.count()).toBe(2);
    expect(await errors.nth(1).innerText()).toContain('alsoWrong');
    expect(await findViolations(page)).toEqual([]);
    await errors
      .nth(1)
      .getByRole('button', { name: /^Line 4, / })
      .click();
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => errors.count()).toBe(1);
    const text = await editorOf(page).locator('.view-lines').innerText();
    expect(text).toContain('wrong');
    expect(text).not.toContain('alsoWrong');
  });

  it('say why variables are not sent, on the first run', async () => {
    const { page, result } = await openPlayground();
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).focus();
    await page.keyboard.insertText('{ "first": ');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const error = result.getByRole('list', { name: 'Errors' }).getByRole('listitem');
    await error.waitFor();
    expect(await error.innerText()).toMatch(/^Request not sent. Variables /);
  });
});

describe('the REST calls', () => {
  it.each([1280, 1920])('show the choice of the latency whole: %d px', async (width) => {
    const { page } = await openPlayground({ width });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const choice = page.getByRole('group', { name: 'Network latency' });
    await choice.waitFor();
    const [inner, outer] = [(await choice.boundingBox())!, await boxOf(page, '.rest-calls')];
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
  });

  it('begin with what they show, and explain it behind "?"', async () => {
    const { page } = await openPlayground();
    await page.getByRole('button', { name: 'Run the first example' }).click();
    const calls = callsOf(page);
    await calls
      .getByText(/^This operation needs \d+ REST calls in 2 rounds; the gateway made one round\.$/)
      .waitFor();
    const explanation = calls.getByText('Without the gateway, a front end sends');
    expect(await explanation.isVisible()).toBe(false);
    await calls.getByText('?', { exact: true }).click();
    await explanation.waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it('remember the latency', async () => {
    const { page } = await openPlayground();
    await page.getByRole('button', { name: 'Run the first example' }).click();
    const latency = callsOf(page).getByRole('radio', { name: '200 ms' });
    await latency.check({ force: true });
    await page.reload();
    await ready(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await latency.waitFor({ state: 'attached' });
    expect(await latency.isChecked()).toBe(true);
  });

  it('are never fewer than their rounds, and none have none', async () => {
    const { page } = await openPlayground();
    await execute(page, 'query Mine { viewer { runAs } }');
    await callsOf(page).getByText('This operation needs no REST call.').waitFor();
    expect(
      await callsOf(page)
        .getByText(/\b0 (?:rounds|ms)\b/)
        .count(),
    ).toBe(0);
    await execute(page, 'subscription Watch { documentChanged(id: "DOC-0191") { shortId } }');
    await callsOf(page)
      .getByText('This operation needs 1 REST call in one round; the gateway made one round.')
      .waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await resultOf(page).getByText('"DOC-0191"').waitFor();
    await type(page, 'query Done { viewer { runAs } }');
  });
});
