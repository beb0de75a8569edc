/** @module-tag nightly */
import { launch, type Page } from 'puppeteer-core';
import { expect, it, onTestFinished } from 'vitest';
import { startInbox } from './inbox.ts';

/** Opens a page in Debian's Firefox. `complaints` are its exceptions and the errors in its console. */
async function visitWithFirefox(url: string) {
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewport({ width: 1280, height: 800 });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

const textOf = (page: Page, selector: string) => page.$eval(selector, (one) => one.textContent);

it('shows a list, a document with its file, and stores an approval', async () => {
  const { url, query } = await startInbox();
  const { page, complaints } = await visitWithFirefox(`${url}/app/views/inbox`);
  await page.locator('::-p-text(of 26 documents)').wait();
  await page.locator('a::-p-text(RE-2026-0058)').click();
  await page.locator('h1::-p-text(RE-2026-0058)').wait();
  await page.locator('iframe').wait(); // the file
  const revisionOf = async () => {
    const { data } = await query('{ document(id: "DOC-0191") { meta { revision } } }');
    return data.document.meta.revision as string;
  };
  const before = await revisionOf();
  await page.locator('button::-p-text(Approve)').click();
  await expect.poll(revisionOf, { timeout: 60_000 }).not.toBe(before);
  expect(complaints).toEqual([]);
});

it('runs an operation, shows it as a table, and acts as a person', async () => {
  const { url } = await startInbox();
  const { page, complaints } = await visitWithFirefox(`${url}/graphql`);
  await page.locator('button::-p-text(Run the first example)').click();
  await page.locator('.result ::-p-text(DOC-0191)').wait();
  await page.locator('::-p-text(the gateway made one round)').wait();
  await page.locator('label::-p-text(Table)').click();
  await page.locator('td::-p-text(DOC-0191)').wait();
  await page.select('header select', 'usr-carlos');
  await page.locator('::-p-text(The result appears here)').wait();
  await page.focus('.editors textarea');
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await page.locator('td').wait();
  expect(await textOf(page, '.result-table')).not.toContain('DOC-0191');
  await page.locator('::-p-text(as Carlos)').wait();
  expect(complaints).toEqual([]);
});
