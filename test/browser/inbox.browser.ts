import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { sendWaiting, startInbox } from './inbox.ts';

/** Apollo Client closes a response after its last part, which the browser reports as a failed request. */
const unexpected = (complaints: readonly string[], url: string): string[] =>
  complaints.filter((one) => one !== `request failed: ${url}/graphql`);

it('lists the inbox, shows a document and approves it', async () => {
  const { url, query } = await startInbox();
  const { page, outside, complaints } = await visit(url, { showsPdf: true });

  await page.goto(`${url}/`);
  await page.getByText('1 to 20 of 26 documents').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/views/inbox');
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('21 to 26 of 26 documents').first().waitFor();
  await page.goBack();

  await page.getByRole('link', { name: 'Invoice RE-2026-0058 of Acme Tools Ltd' }).click();
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/documents/DOC-0191');
  await page.getByText('2,587.71').first().waitFor(); // a number, with the type of its field
  await page
    .getByRole('row', { name: /Copy paper A4/ })
    .first()
    .waitFor();
  // The policy of the page allows the recognized PDF and the attachment in the viewer of the browser.
  await page.locator('iframe[src^="blob:"]').waitFor();
  await page.getByRole('button', { name: 'View Rechnung RE-2026-0058.pdf' }).click();
  await page.locator('iframe[title="Rechnung RE-2026-0058.pdf"][src^="blob:"]').waitFor();
  const viewers = () => page.frames().filter((one) => one.url().startsWith('chrome-extension:'));
  await expect.poll(() => viewers().length).toBe(1);
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor(); // deferred

  await page.getByRole('button', { name: 'With comment…' }).click();
  await page.getByLabel('Comment').fill('Checked against the order.');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Approve: DOC-0191').first().waitFor();
  await sendWaiting(page);

  await expect
    .poll(async () => {
      const { data } = await query('{ documents(view: INBOX, first: 1) { totalCount } }');
      return data.documents.totalCount;
    })
    .toBe(25);
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});

it.each([
  [
    'has failed',
    { errors: [{ message: 'down', extensions: { code: 'UPSTREAM_ERROR' } }] },
    'cannot be loaded',
  ],
  ['says that it does not exist', {}, 'The file does not exist.'],
])(
  'explains a file whose URL has expired if the new query %s',
  { tags: ['nightly'] },
  async (_, more, text) => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await page.route('**/files/**', (route) => route.fulfill({ status: 403 }));
    await page.route('**/graphql', async (route) => {
      const { operationName } = (route.request().postDataJSON() ?? {}) as {
        operationName?: string;
      };
      if (operationName !== 'FileUrls') await route.continue();
      else await route.fulfill({ json: { data: { document: null }, ...more } });
    });
    await page.goto(`${url}/app/documents/DOC-0191`);
    await page.getByRole('button', { name: 'View Rechnung RE-2026-0058.pdf' }).click();
    const files = page.getByRole('region', { name: 'Files' });
    await expect.poll(() => files.innerText()).toContain(text);
  },
);

it('shows no file of the document that was shown before', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    const { operationName } = (route.request().postDataJSON() ?? {}) as { operationName?: string };
    if (operationName !== 'DocumentPage') return route.continue();
    const response = await route.fetch();
    // The IDs of files are unique only within a document.
    const body = (await response.text()).replaceAll(/"65f000005eed00a0[\da-f]{7}0"/g, '"file"');
    return route.fulfill({ response, body });
  });
  const recognizedPdf = (id: string) => page.locator(`iframe[title="Recognized PDF of ${id}"]`);
  await page.goto(`${url}/app/documents/DOC-0101`);
  await recognizedPdf('DOC-0101').waitFor();
  await page.getByRole('link', { name: 'Inbox', exact: true }).click();
  await page.getByRole('link', { name: 'Invoice RE-2026-0058 of Acme Tools Ltd' }).click();
  await recognizedPdf('DOC-0191').waitFor();
  await page.getByRole('button', { name: 'View Rechnung RE-2026-0058.pdf' }).click();
  await page.locator('iframe[title="Rechnung RE-2026-0058.pdf"]').waitFor();

  // Both documents are in the cache, so the page changes from one to the other without a placeholder.
  const file = page.waitForRequest((request) => request.url().includes('/files/'));
  await page.evaluate(() => history.go(-2));
  await recognizedPdf('DOC-0101').waitFor();
  await file;
  expect(await page.locator('iframe[title="Rechnung RE-2026-0058.pdf"]').count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' }); // the document is read again
});

it('says that a file is empty', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/files/**', (route) =>
    route.fulfill({ contentType: 'text/plain', body: '' }),
  );
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'View Rechnung RE-2026-0058.pdf' }).click();
  const files = page.getByRole('region', { name: 'Files' });
  await expect.poll(() => files.innerText()).toContain('The file is empty.');
});

it('labels the values of fields with a prefix', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    const { operationName } = (route.request().postDataJSON() ?? {}) as { operationName?: string };
    if (operationName !== 'DocumentPage') return route.continue();
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replace('"prefix":"","fieldName":"total"', '"prefix":"to","fieldName":"tal"');
    return route.fulfill({ response, body });
  });
  await page.goto(`${url}/app/documents/DOC-0191`);
  const values = page.getByRole('region', { name: 'Values' });
  await values.getByText('Invoice number', { exact: true }).waitFor();
  expect(await values.getByRole('term').allInnerTexts()).toContain('Total');
});

it('shows the short ID of a document that has lost its topic', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    const { operationName } = (route.request().postDataJSON() ?? {}) as { operationName?: string };
    if (operationName !== 'DocumentPage') return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"topic":"(?:[^"\\]|\\.)*"/g, '');
    return route.fulfill({ response, body });
  });
  await page.goto(`${url}/`);
  await page.getByRole('link', { name: 'Invoice RE-2026-0058 of Acme Tools Ltd' }).click();
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('DOC-0191');
});

it('stores the filter in the URL, and keeps the focus', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/all?status=2`);
  await page.getByText('of 99 documents').first().waitFor();
  const phase = page.getByLabel('Phase', { exact: true });
  await phase.focus();
  await phase.selectOption('Signing');
  await page.waitForURL(`${url}/app/views/all?state=20&status=2`);
  expect(await phase.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.getByLabel('Tags', { exact: true }).fill('no-such-tag');
  await page.keyboard.press('Enter');
  await page.getByText('No document matches the filter.').waitFor();
  await page.goBack();
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByLabel('Tags', { exact: true }).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await page.getByText('1 to 20 of 200 documents').first().waitFor();
});

it(
  'applies each condition when it is changed, and removes it with its button',
  { tags: ['nightly'] },
  async () => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await page.goto(`${url}/app/views/all`);
    await page.getByLabel('Tags', { exact: true }).pressSequentially('finance');
    await page.waitForURL(`${url}/app/views/all?tags=finance`);
    await page.getByLabel('Status', { exact: true }).selectOption('Running');
    await page.waitForURL(`${url}/app/views/all?status=2&tags=finance`);
    await page.getByRole('button', { name: 'Remove Tags' }).press('Enter');
    await page.waitForURL(`${url}/app/views/all?status=2`);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Tags');
  },
);

it(
  'finds authors by name, and keeps the further conditions open while they are cleared',
  { tags: ['nightly'] },
  async () => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await page.goto(`${url}/app/views/all`);
    await page.getByText('More', { exact: true }).click();
    const author = page.getByRole('combobox', { name: 'Author' });
    await author.fill('keller');
    await page.getByRole('option', { name: 'Ann Louise Keller Finance' }).click();
    await page.waitForURL(`${url}/app/views/all?author=usr-ann`);
    expect(await author.inputValue()).toBe('Ann Louise Keller');
    await page.getByRole('button', { name: 'Remove Author' }).click();
    await page.waitForURL(`${url}/app/views/all`);
    expect(await author.isVisible()).toBe(true);
    expect(await author.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.goto(`${url}/app/views/all?step=1`);
    await page.getByRole('spinbutton', { name: 'Step, 0 to 100' }).waitFor();
  },
);

it('opens a document by its short ID', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('doc-9999');
  await page.getByText('No document that you can see has this ID.').waitFor();
  await page.getByRole('searchbox', { name: 'Search supplier, number or amount' }).fill('doc-0191');
  await page.getByText('Enter opens DOC-0191.').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/app/documents/DOC-0191`);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
});

it('moves through a list by keys, and lists them in a dialog', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('row').nth(1).waitFor();
  const focused = page.locator(':focus');
  for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
  await page.getByText('1 selected').waitFor();
  const current = await focused.innerText();
  expect(current).toBe(await page.getByRole('rowheader').nth(1).getByRole('link').innerText());
  expect(await page.getByRole('checkbox').nth(1).isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel('Use these shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  expect(await focused.innerText()).toBe(current);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: current }).waitFor();
});

it('offers to clear a filter that the gateway rejects', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/all?page=2&step=101`);
  const alert = page.getByRole('alert');
  await alert.getByText('The filter step must be a number from 0 to 100, not 101.').waitFor();
  expect(await alert.getByRole('button').allInnerTexts()).toEqual(['Clear filter']);
  await alert.getByRole('button').press('Enter');
  await page.getByText('1 to 20 of 200 documents').first().waitFor();
  expect(page.url()).toBe(`${url}/app/views/all`);
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Documents');
  const step = page.getByRole('spinbutton', { name: 'Step' });
  await expect.poll(() => step.inputValue()).toBe('');
});

it('keeps what was entered if someone else has changed the document', async () => {
  const { url, query } = await startInbox();
  const { page, complaints } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Decline…' }).click();
  const comment = page.getByLabel('Why do you decline it?');
  const decline = page.getByRole('button', { name: 'Decline', exact: true });
  await decline.click();
  await page.getByText('Say why you decline it.').waitFor();
  expect(await comment.evaluate((element) => element === document.activeElement)).toBe(true);
  await comment.fill('The price is wrong.');

  const change = (action: string) =>
    query(
      `mutation { moveDocument(input: { document: "DOC-0191", action: ${action} }) { __typename } }`,
    );
  await decline.click();
  await page.locator('.toast').waitFor();
  await change('SUSPEND');
  await change('RESUME');
  await sendWaiting(page);
  const earlier = page.getByRole('region', { name: 'Earlier action' });
  await earlier.getByText('Someone else has changed the document').waitFor();
  await earlier.getByRole('link', { name: 'Show the document' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'You see the current version now.' });
  await notice.waitFor();
  expect(await comment.inputValue()).toBe('The price is wrong.');
  await decline.click();
  await sendWaiting(page);
  await expect
    .poll(async () => {
      const { data } = await query('{ document(id: "DOC-0191") { status } }');
      return data.document.status;
    })
    .toBe(4);
  await earlier.waitFor({ state: 'detached' });
  expect(unexpected(complaints, url)).toEqual([]);
});
