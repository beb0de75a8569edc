/** @module-tag nightly */
import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { startInbox, unexpected } from './inbox.ts';

it('sorts by due date and creation, and keeps the order in the URL', async () => {
  const { url, query } = await startInbox();
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  const shown = async () => {
    const ids = await page.locator('tbody .document-row-id').allInnerTexts();
    return ids.map((id) => id.trim());
  };
  const expected = async (args: string) => {
    const { data } = await query(
      `{ documents(view: INBOX, first: 20${args}) { nodes { shortId } } }`,
    );
    return (data.documents.nodes as { shortId: string }[]).map(({ shortId }) => shortId);
  };
  const header = (name: string) => page.getByRole('columnheader', { name });
  const sortBy = (name: string) => header(name).getByRole('link').click();
  const search = () => new URL(page.url()).search;

  const steps = [
    ['Due', ', orderBy: { field: DATE_DUE }', '?order=due', 'ascending'],
    ['Due', ', orderBy: { field: DATE_DUE, direction: DESC }', '?order=-due', 'descending'],
    ['Due', '', '', null],
    [
      'Created',
      ', orderBy: { field: DATE_CREATED, direction: DESC }',
      '?order=-created',
      'descending',
    ],
    ['Created', ', orderBy: { field: DATE_CREATED }', '?order=created', 'ascending'],
  ] as const;
  for (const [name, args, address, direction] of steps) {
    await sortBy(name);
    await expect.poll(shown).toEqual(await expected(args));
    expect(search()).toBe(address);
    expect(await header(name).getAttribute('aria-sort')).toBe(direction);
  }

  await page.getByRole('link', { name: 'Next' }).click();
  await expect
    .poll(shown)
    .toEqual(await expected(', offset: 20, orderBy: { field: DATE_CREATED }'));
  expect(search()).toBe('?order=created&page=2');
  await page.reload();
  await expect.poll(() => header('Created').getAttribute('aria-sort')).toBe('ascending');
  await page.getByRole('combobox', { name: 'Phase' }).selectOption('Approval');
  await expect.poll(search).toBe('?state=10&order=created');
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});

it('keeps its neighbours, filter and order in the link of a document', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/all?status=2&order=due&page=2`);
  await page.locator('tbody tr').nth(2).getByRole('link').waitFor();
  const titles = await page.locator('tbody .document-row-line a').allInnerTexts();
  await page.locator('tbody .document-row-line a').nth(1).click();
  await page.getByRole('link', { name: 'Next document' }).waitFor();
  const link = page.url();

  const { page: other } = await visit(url);
  const title = () => other.getByRole('heading', { level: 1 }).innerText();
  await other.goto(link);
  await other.getByRole('link', { name: 'Next document' }).click();
  await expect.poll(title).toBe(titles[2]);
  await other.keyboard.press('k');
  await expect.poll(title).toBe(titles[1]);
  await other.reload();
  await other.getByRole('link', { name: 'Previous document' }).click();
  await expect.poll(title).toBe(titles[0]);
  await other.getByRole('link', { name: 'Back to All documents' }).click();
  await other.waitForURL(`${url}/app/views/all?status=2&order=due&page=2`);
});

it('offers the whole view if the list is too long to sort', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    const { operationName, variables } = (route.request().postDataJSON() ?? {}) as {
      operationName?: string;
      variables?: { orderBy?: object | null };
    };
    if (operationName !== 'DocumentList' || !variables?.orderBy) return route.continue();
    const message = '`orderBy` sorts at most 500 documents, but the list has 501.';
    const errors = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
    return route.fulfill({ json: { data: null, errors } });
  });
  await page.goto(`${url}/app/views/inbox?order=due`);
  await page.getByText('The list has 501 documents').waitFor();
  await page.getByRole('button', { name: 'Show all of this view' }).click();
  await page.getByText('of 26 documents').first().waitFor();
  expect(new URL(page.url()).search).toBe('');
});
