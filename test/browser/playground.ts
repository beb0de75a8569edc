import type { Page } from 'playwright-core';
import { startGatewayOnSandbox, type TestGatewayOptions } from '../helpers/gateway.ts';
import { visit } from './browser.ts';

/** Starts the gateway on a new sandbox, and opens the playground. */
export async function openPlayground(
  options: {
    readonly server?: TestGatewayOptions['server'];
    readonly search?: string;
    readonly width?: number;
  } = {},
) {
  const { server, search = '', width = 1280 } = options;
  const gateway = await startGatewayOnSandbox({ ...(server && { server }) });
  const visited = await visit(gateway.url);
  const { page } = visited;
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${gateway.url}/graphql${search}`);
  await ready(page);
  return { gateway, ...visited, result: resultOf(page) };
}

export const editorOf = (page: Page) => page.locator('.editors > .editor');
export const resultOf = (page: Page) => page.locator('.result');
export const tabsOf = (page: Page) => page.locator('.tab');
export const callsOf = (page: Page) => page.getByRole('region', { name: /^REST calls: \d+/ });

/** Waits until the editor can be used. */
export async function ready(page: Page): Promise<void> {
  await editorOf(page).locator('.view-line').first().waitFor();
}

/** Replaces the operation in the editor. */
export async function type(page: Page, operation: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(operation);
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete'); // remove the brackets that the editor has inserted
}

/** Replaces the operation, and runs it with the keyboard. */
export async function execute(page: Page, operation: string): Promise<void> {
  await type(page, operation);
  await page.keyboard.press('Control+Enter');
}

/** Opens an example with the keyboard alone: from its button, by its name. */
export async function openExample(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Examples', exact: true });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.press('Enter');
  const search = page.getByRole('combobox', { name: 'Search examples' });
  await search.fill(name);
  const option = page.getByRole('option', { name: new RegExp(`^${name} `) });
  await option.waitFor();
  while ((await option.getAttribute('aria-selected')) !== 'true') await search.press('ArrowDown');
  await search.press('Enter');
  await tabsOf(page).filter({ hasText: name }).waitFor();
}
