/** @module-tag nightly */
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { sendWaiting, startInbox } from './inbox.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

it('passes axe on a view and a document', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/`);
  await page.getByText('1 to 20 of 26 documents').first().waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  // The check finds what is wrong.
  await page.evaluate(() => document.querySelector('h1')?.append(document.createElement('img')));
  expect(await findViolations(page)).toEqual([expect.stringMatching(/^image-alt: <img>/)]);
});

it('keeps the focus where the user is', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  const focused = page.locator(':focus');
  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).press('Enter');
  for (const [name, input] of [
    ['With comment…', 'TEXTAREA'],
    ['Decline…', 'TEXTAREA'],
    ['Move…', 'SELECT'],
    ['Change Total', 'INPUT'],
  ] as const) {
    await press(name);
    expect(await focused.evaluate(({ tagName }) => tagName)).toBe(input);
    if (input === 'INPUT') await page.keyboard.type('1');
    await press('Cancel');
    await page.getByRole('button', { name, exact: true }).waitFor();
    expect(await focused.getAttribute('aria-label')).toBe('Actions');
  }

  await press('With comment…');
  await page.getByLabel('Comment').fill('Checked.');
  await page.getByRole('link', { name: 'Archive' }).press('Enter');
  await press('Stay');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused.innerText()).toBe('Archive');
  const menu = page.getByLabel('Signed in as');
  await menu.focus();
  await menu.selectOption('usr-ann');
  await press('Leave and discard');
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  expect(await menu.inputValue()).toBe('usr-ann');
  expect(await focused.getAttribute('id')).toBe(await menu.getAttribute('id'));

  await press('Approve');
  await page.getByText('Approve: DOC-0191').first().waitFor();
  await expect.poll(() => focused.evaluate(({ tagName }) => tagName)).toBe('H1'); // the next page
});

it('keeps the focus in a list', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const focused = page.locator(':focus');
  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('link', { name: 'Last' }).press('Enter');
  await page.getByText('21 to 26 of 26 documents').first().waitFor();
  expect(await focused.innerText()).toBe('Page 2 of 2');
  await page.goto(`${url}/app/views/inbox?page=7`);
  await page.getByText('The list ends before this page.').waitFor();
  await page.getByRole('link', { name: 'First', exact: true }).press('Enter');
  await page.getByText('1 to 20 of 26 documents').first().waitFor();

  await page.getByLabel('Tags', { exact: true }).fill('unknown');
  await page.getByLabel('Tags', { exact: true }).press('Enter');
  await page.getByText('No document matches the filter.').waitFor();
  await page.getByRole('button', { name: 'Clear filter' }).press('Enter');
  await page.getByText('1 to 20 of 26 documents').first().waitFor();
  expect(await focused.evaluate(({ tagName }) => tagName)).toBe('SELECT');

  const checkbox = page.getByRole('checkbox', { name: 'Select Invoice RE-2026-0058' });
  await checkbox.press('Space');
  await page.getByRole('button', { name: 'Select all 20' }).press('Enter');
  await page.getByText('20 selected').waitFor();
  expect(await focused.getAttribute('aria-label')).toBe('Clear selection');
  await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
  await page.getByRole('form', { name: 'Selected documents' }).waitFor({ state: 'detached' });
  expect(await focused.getAttribute('aria-label')).toBe('Documents');
  for (const name of ['Created', 'Due']) {
    await page.keyboard.press('Tab');
    expect(await focused.innerText()).toBe(name);
  }
  await page.keyboard.press('Tab');
  expect(await focused.getAttribute('type')).toBe('checkbox');

  await checkbox.press('Space');
  await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Apply to 1' }).press('Enter');
  await page.locator('.toast', { hasText: /Approve: 1 document(?!s)/ }).waitFor();
  expect(await focused.getAttribute('aria-label')).toBe('Documents');
});

it.each([
  { path: 'views/inbox', operation: 'DocumentList', focus: /Invoice RE-2026-0058/ },
  { path: 'documents/DOC-0191', operation: 'DocumentPage', focus: /^Invoice RE-2026-0058/ },
  { path: 'new', operation: 'CreatePage', focus: /^New document$/ },
])('moves the focus to what replaces an error: $operation', async ({ path, operation, focus }) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  let isFailing = true;
  await page.route('**/graphql', (route) =>
    isFailing && route.request().postDataJSON()?.operationName === operation
      ? route.fulfill({ json: { errors: [{ message: 'Failed.' }] } })
      : route.continue(),
  );
  const focused = page.locator(':focus');
  const retry = page.getByRole('button', { name: 'Try again' });
  await page.goto(`${url}/app/${path}`);
  await retry.waitFor();
  isFailing = false;
  await retry.press('Enter');
  await retry.waitFor({ state: 'detached' });
  await expect.poll(() => focused.innerText()).toMatch(focus);
});

it('keeps the focus when a changed document is shown', async () => {
  const { url, query } = await startInbox({ server: pollingEvery(300) });
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Move…' }).click();
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: SUSPEND }) { __typename } }',
  );
  const button = page.getByRole('button', { name: 'Show the current version' });
  await button.press('Enter');
  await button.waitFor({ state: 'detached' });
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Actions');
});

it('moves the focus to the page when the notice about an earlier action is closed', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const held = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'Move') return route.continue();
    await held.promise;
    return route.abort();
  });
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Move…' }).click();
  await page.getByLabel('Action', { exact: true }).selectOption('SUSPEND');
  await page.getByRole('button', { name: 'Suspend' }).click();
  await sendWaiting(page);
  await page.getByRole('link', { name: 'Archive' }).click();
  const heading = page.getByRole('heading', { name: 'Archive' });
  await heading.waitFor();
  held.resolve();
  const notice = page.getByRole('region', { name: 'Earlier action' });
  await notice.getByText('DOC-0191: the action failed, or its outcome is unknown.').waitFor();
  await notice.getByRole('button', { name: 'Close' }).press('Enter');
  await notice.waitFor({ state: 'detached' });
  expect(await heading.evaluate((element) => element.matches(':focus'))).toBe(true);
});
