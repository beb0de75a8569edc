/** @module-tag nightly */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { startInbox } from './inbox.ts';

/** Opens all documents. `hold` lets the next lists wait until the returned function is called. */
async function openAll(width: number) {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  let held = Promise.resolve();
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName === 'DocumentList') await held;
    await route.continue();
  });
  await page.goto(`${url}/app/views/all`);
  await page.getByText('Records policy, edition 5').first().waitFor();
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  return { page, hold };
}

const rowsOf = (page: Page) => page.locator('tbody tr:not(:has(.skeleton))');

/** Collects how much the page moves from now on, also soon after an input: a slow answer comes later. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  const shifts = await page.evaluateHandle(() => {
    const shifts: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value') as number);
    }).observe({ type: 'layout-shift' });
    return shifts;
  });
  return () =>
    page.evaluate(async (all) => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return all.reduce((sum, one) => sum + one, 0);
    }, shifts);
}

/** Sets a condition, on a narrow screen in its sheet. */
async function filterByPhase(page: Page, phase: string): Promise<void> {
  const isNarrow = page.viewportSize()!.width < 900;
  if (isNarrow) await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Phase', { exact: true }).selectOption(phase);
  if (isNarrow) await page.keyboard.press('Escape');
}

it.each([1280, 600, 360])(
  'shows no row of another view, and moves almost nothing: %d px',
  async (width) => {
    const { page, hold } = await openAll(width);
    const shiftOf = await watchShifts(page);
    for (const [view, first] of [
      ['Archive', 'Leave from 2026-12-08'],
      ['Inbox', 'Invoice RE-2026-0058 of Acme Tools Ltd'],
    ] as const) {
      const release = hold();
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: view }).waitFor();
      await page.locator('tbody .skeleton').first().waitFor();
      expect(await rowsOf(page).count()).toBe(0);
      if (width === 1280)
        expect(await page.getByText('Created', { exact: true }).isVisible()).toBe(true);
      expect(await findViolations(page)).toEqual([]);
      release();
      await page.getByText(first).first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    }
    expect(await shiftOf()).toBeLessThan(0.02);
  },
);

it.each([1280, 600, 360])(
  'dims the rows of the filter before, which cannot be operated: %d px',
  async (width) => {
    const { page, hold } = await openAll(width);
    const shiftOf = await watchShifts(page);
    const release = hold();
    await filterByPhase(page, 'Signing');
    await page.waitForURL(/\?state=20$/);
    const stale = page.locator('table[inert]');
    await stale.waitFor();
    expect(Number(await stale.evaluate((one) => getComputedStyle(one).opacity))).toBeLessThan(0.7);
    const box = (await rowsOf(page).first().boundingBox())!;
    // A click on a box or a title has no effect that could be lost.
    await page.mouse.click(box.x + 20, box.y + box.height / 2);
    await page.mouse.click(box.x + 120, box.y + 15);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    expect(await page.locator('tbody :checked').count()).toBe(0);
    expect(page.url()).toMatch(/views\/all\?state=20$/);
    expect(await findViolations(page)).toEqual([]);
    release();
    await stale.waitFor({ state: 'detached' });
    expect(await page.getByText('Signing').count()).toBeGreaterThan(2);
    expect(await shiftOf()).toBeLessThan(0.02);

    // From now on, a click counts.
    await rowsOf(page).first().getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
  },
);
