import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { startInbox } from './inbox.ts';

const directory = fileURLToPath(new URL('../../examples/inbox/dist', import.meta.url));

it('passes axe on a view and a document', async () => {
  const { url } = await startGatewayOnSandbox({ server: { frontEnd: { directory } } });
  const { page } = await visit(url);
  await page.goto(`${url}/`);
  await page.getByText('1 to 15 of 26 documents').first().waitFor();
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
  for (const name of ['Respond…', 'Move…']) {
    await press(name);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await focused.innerText()).toBe('Actions');
    await press('Cancel');
    await page.getByRole('button', { name }).waitFor();
    expect(await focused.innerText()).toBe('Actions');
  }

  await press('Respond…');
  await page.getByLabel('Comment').fill('Checked.');
  await page.getByRole('link', { name: 'Archive' }).press('Enter');
  await press('Stay');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused.innerText()).toBe('Archive');
  const menu = page.getByLabel('Signed in as');
  await menu.focus();
  await menu.selectOption('usr-ann');
  await press('Leave and discard');
  await page.getByRole('button', { name: 'Respond…' }).waitFor();
  expect(await menu.inputValue()).toBe('usr-ann');
  expect(await focused.getAttribute('id')).toBe(await menu.getAttribute('id'));

  await press('Respond…');
  await press('Approve');
  await page.getByRole('region', { name: 'Actions' }).getByText('Approve: DOC-0191').waitFor();
  expect(await focused.innerText()).toBe('Actions');
});
