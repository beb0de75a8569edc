/** @module-tag nightly */
import type { Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { openNewDocument, sendWaiting, startInbox, unexpected } from './inbox.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

it('shows another person other documents, and nothing of the first one', async () => {
  const { url } = await startInbox();
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor(); // the service account
  const menu = page.getByLabel('Signed in as');

  await menu.selectOption('usr-ann');
  await page.getByText('of 18 documents').first().waitFor();
  const titles = page.getByRole('rowheader').getByRole('link');
  const ofAnn = await titles.allInnerTexts();

  // Everything that the page shows from the choice on, not only in the end.
  const seen = await page.evaluateHandle(() => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(document.querySelector('main')?.innerText ?? '')).observe(
      document.body,
      { subtree: true, childList: true, characterData: true },
    );
    return texts;
  });
  await menu.selectOption('usr-carlos');
  await page.getByText('of 2 documents').first().waitFor();
  const ofCarlos = await titles.allInnerTexts();
  expect(ofCarlos).toHaveLength(2);
  const shown = (await seen.jsonValue()).join('\n');
  const foreign = ofAnn.filter((title) => !ofCarlos.includes(title));
  expect(foreign.filter((title) => shown.includes(title))).toEqual([]);

  await page.reload();
  await page.getByText('of 2 documents').first().waitFor();
  expect(await menu.inputValue()).toBe('usr-carlos');
  await menu.selectOption('');
  await page.getByText('of 26 documents').first().waitFor();
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});

it('reads one list for another person: the first page', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/all?page=2`);
  await page.getByText('21 to 40 of').first().waitFor();
  const offsets: number[] = [];
  page.on('request', (request) => {
    const { operationName, variables } = request.postDataJSON() ?? {};
    if (operationName === 'DocumentList') offsets.push(variables.offset);
  });
  await page.getByLabel('Signed in as').selectOption('usr-ann');
  await page.getByText('1 to 20 of').first().waitFor();
  expect(offsets).toEqual([0]);
});

it('keeps the document if the other person may see it', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  const menu = page.getByLabel('Signed in as');
  await page.getByRole('button', { name: 'Move…' }).click();

  await menu.selectOption('usr-ann');
  // The form of the previous person is closed, and this one may not move the document.
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Move…' }).count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/app/documents/DOC-0191');
  const file = page.waitForResponse((response) => response.url().includes('/files/'));
  await page.getByRole('button', { name: 'View Rechnung RE-2026-0058.pdf' }).click();
  expect((await file).status()).toBe(200); // a link that is bound to the person

  await menu.selectOption('usr-jonas');
  await page.waitForURL(`${url}/app/views/inbox`);
  await page.getByText('No document waits for you.').waitFor();
});

it('stays at a document that is deleted after the choice of another person', async () => {
  const { url, query } = await startInbox({ server: pollingEvery(300) });
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  await page.getByLabel('Signed in as').selectOption('usr-ann');
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: DELETE }) { __typename } }',
  );
  const explanation = page.getByText('The document does not exist, or you are not');
  await explanation.waitFor();
  expect(page.url()).toBe(`${url}/app/documents/DOC-0191`);
  await page.reload();
  await explanation.waitFor();
  expect(page.url()).toBe(`${url}/app/documents/DOC-0191`);
});

it('asks before another person discards what was typed', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'With comment…' }).click();
  const comment = page.getByLabel('Comment');
  await comment.fill('Checked.');
  const menu = page.getByLabel('Signed in as');
  await menu.selectOption('usr-ann');
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await comment.inputValue()).toBe('Checked.');
  expect(await menu.inputValue()).toBe('');

  await menu.selectOption('usr-ann');
  await page.getByRole('button', { name: 'Leave and discard' }).click();
  await page.getByRole('button', { name: 'With comment…' }).click();
  await comment.waitFor();
  expect(await comment.inputValue()).toBe('');
  expect(await menu.inputValue()).toBe('usr-ann');
});

it('renews the tokens before they expire', async () => {
  const { url } = await startInbox({ tokenLifetimeS: 4 });
  const { page, complaints } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  const menu = page.getByLabel('Signed in as');
  await menu.selectOption('usr-carlos');
  await page.getByText('of 2 documents').first().waitFor();
  await page.waitForResponse((response) => response.url() === `${url}/sandbox/people`);
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByText('of 35 documents').first().waitFor();
  expect(unexpected(complaints, url)).toEqual([]);
});

it('offers no choice with a DMS other than the embedded sandbox', async () => {
  const { url } = await startInbox({ signIn: false });
  const { page } = await visit(url);
  const people = page.waitForResponse((response) => response.url() === `${url}/sandbox/people`);
  await page.goto(`${url}/app/views/inbox`);
  expect((await people).status()).toBe(404);
  await page.getByText('of 26 documents').first().waitFor();
  expect(await page.getByLabel('Signed in as').count()).toBe(0);
});

it('does not offer to read again what a person is not allowed to see', async () => {
  const { url } = await startInbox({ forms: false });
  const { page } = await visit(url);
  await page.addInitScript(() => sessionStorage.setItem('inbox.person', 'usr-bob'));
  await page.goto(`${url}/app/new`);
  const alert = page.getByRole('alert');
  await alert.getByText('Only people who are allowed to read the forms').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

it('shows the result of an action above another page, and only to the person who took it', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const waiting: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'Move') return route.continue();
    const response = await route.fetch();
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (fails) return route.abort();
    return route.fulfill(problem ? { json: { data: { moveDocument: problem } } } : { response });
  });
  let fails = false;
  let problem: object | null = null;
  const remove = async (id: string): Promise<void> => {
    await page.goto(`${url}/app/documents/${id}`);
    await page.getByRole('button', { name: 'Move…' }).click();
    await page.getByLabel('Action', { exact: true }).selectOption('DELETE');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await sendWaiting(page);
    await expect.poll(() => waiting.length).toBe(1);
  };
  const release = async (): Promise<void> => {
    const isMove = (request: Request): boolean => request.postDataJSON()?.operationName === 'Move';
    const ended = fails
      ? page.waitForEvent('requestfailed', isMove)
      : page.waitForEvent('requestfinished', isMove);
    waiting.pop()!();
    await ended;
    // Until the page has shown what follows from the answer.
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })),
    );
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })),
    );
  };

  await remove('DOC-0191');
  await page.getByRole('link', { name: 'Inbox', exact: true }).click();
  await openNewDocument(page);
  await page.getByLabel('Tags').fill('typed');
  await release();
  const notice = page.getByRole('region', { name: 'Earlier action' });
  await page.locator('.toast').getByText('Delete: DOC-0191').waitFor();
  expect(await notice.count()).toBe(0);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(page.url()).toBe(`${url}/app/new`);
  await page.getByLabel('Tags').fill('');

  fails = true;
  await remove('DOC-0188');
  await page.getByRole('link', { name: 'Archive', exact: true }).click();
  await page.getByRole('heading', { name: 'Archive' }).waitFor();
  await release();
  await notice.getByText('DOC-0188: the action failed, or its outcome is unknown.').waitFor();
  await notice.getByText('The connection was lost. Check whether').waitFor();
  await notice.getByRole('link', { name: 'Show the document' }).click();
  await page.getByText('The document does not exist, or you are not').waitFor(); // it was deleted
  await notice.getByRole('button', { name: 'Close' }).click();
  fails = false;

  problem = { __typename: 'ForbiddenError', requiredRole: null, message: 'Locked.' };
  await remove('DOC-0169');
  await page.getByRole('link', { name: 'Archive', exact: true }).click();
  await page.getByRole('heading', { name: 'Archive' }).waitFor();
  await release();
  await notice.getByText('DOC-0169: the action failed.').waitFor();
  await notice.getByText('You are not allowed to do this. Locked.').waitFor();
  await notice.getByRole('button', { name: 'Close' }).click();
  problem = null;

  await remove('DOC-0179');
  await page.getByLabel('Signed in as').selectOption('usr-carlos');
  await page.waitForURL(`${url}/app/views/inbox`);
  await page.getByRole('link', { name: 'Archive', exact: true }).click();
  await page.getByRole('heading', { name: 'Archive' }).waitFor();
  await release();
  expect(page.url()).toBe(`${url}/app/views/archive`);
  expect(await page.getByRole('status').allInnerTexts()).not.toContain('Delete: DOC-0179');
  expect(await notice.count()).toBe(0);
});
