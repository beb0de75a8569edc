/** @module-tag nightly */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../src/config/read-config.ts';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import {
  edit,
  holdRequests,
  openNewDocument,
  paste,
  pick,
  sendWaiting,
  startInbox,
} from './inbox.ts';

async function visitForm(options: Partial<Settings> = {}) {
  const gateway = await startInbox({ server: options });
  const visited = await visit(gateway.url);
  await visited.page.goto(`${gateway.url}/app/new`);
  const { data } = await gateway.query('{ documents(view: ALL, first: 1) { totalCount } }');
  const before: number = data.documents.totalCount;
  return {
    ...gateway,
    ...visited,
    /** Number of documents that were created since. */
    countNew: async (): Promise<number> => {
      const { data } = await gateway.query('{ documents(view: ALL, first: 1) { totalCount } }');
      return data.documents.totalCount - before;
    },
  };
}

async function createDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'inbox-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function select(page: Page, paths: string | string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Select files…' }).click();
  await (await choosing).setFiles(paths);
}

/** Drops files on the page, as from a file manager. */
async function drop(page: Page, files: readonly { name: string; text: string }[]): Promise<void> {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, text } of files) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  for (const type of ['dragover', 'drop']) {
    await page.dispatchEvent('main', type, { dataTransfer: transfer });
  }
}

const submit = (page: Page) => page.getByRole('button', { name: 'Create draft' }).click();

it('creates a document with a selected and a dropped file', async () => {
  const { url, page, query, outside, complaints } = await visitForm();
  await page.goto(`${url}/app/views/inbox`);
  await openNewDocument(page);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  await page.getByLabel('Invoice number').fill('RE-1');
  await page.getByLabel('Invoice date').fill('2026-03-01');
  await pick(page, 'Supplier', 'Acme Tools Ltd');
  await page.getByLabel('Total').fill('12.50');
  await pick(page, 'Buyer', 'Ann Louise Keller');
  await pick(page, 'Related documents', 'Records policy, edition 5');
  const lines = page.getByRole('group', { name: 'Lines' });
  expect(await lines.getByRole('columnheader').allInnerTexts()).toEqual([
    'Pos',
    'Article',
    'Quantity',
    'Price',
    'Amount',
  ]);
  await paste(lines.getByLabel('Price, row 1'), '12.50\t25.00\tbeside the table\n0.05\t0.10\n');
  await lines.getByRole('cell', { name: '25.10' }).waitFor();
  await page.getByLabel('Tags').fill('first, second');
  const directory = await createDirectory();
  await writeFile(join(directory, 'selected.txt'), 'by button');
  await select(page, join(directory, 'selected.txt'));
  await drop(page, [{ name: 'dropped.txt', text: 'by drop' }]);
  await drop(page, [{ name: 'invoice\u202efdp.exe', text: 'misleading' }]);
  await page.locator('.file-name', { hasText: 'invoice\ufffdfdp.exe' }).waitFor();
  await page.getByRole('button', { name: /^Remove invoice/ }).click();
  await page.locator('.file-name', { hasText: 'dropped.txt' }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Create and send' }).click();
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Files' }).waitFor();
  const id = page.url().replace(`${url}/app/documents/`, '');
  const { data } = await query(
    `query ($id: ID!) { document(id: $id) {
      state tags files { name }
      values(tags: ["number", "date", "total", "buyer", "lines"]) {
        ... on TextValue { tag text } ... on TableValue { tag columns rows }
      }
    } }`,
    { id },
  );
  expect(data.document).toEqual({
    state: 10,
    tags: ['first', 'second'],
    files: [{ name: 'selected.txt' }, { name: 'dropped.txt' }],
    values: [
      { tag: 'number', text: 'RE-1' },
      { tag: 'date', text: '2026-03-01' },
      { tag: 'total', text: '12.50' },
      { tag: 'buyer', text: 'usr-ann' },
      {
        tag: 'lines',
        columns: ['Pos', 'Article', 'Quantity', 'Price', 'Amount'],
        rows: [
          ['', '', '', '12.50', '25.00'],
          ['', '', '', '0.05', '0.10'],
        ],
      },
    ],
  });
  expect(outside).toEqual([]);
  // Apollo Client closes a response with deferred parts after the last one, which the browser reports as a failure.
  const other = complaints.filter((one) => one !== `request failed: ${url}/graphql`);
  expect(other).toEqual([]);
});

it('offers the members of known units if nobody can sign in', async () => {
  const { page } = await visitForm();
  await page.route('**/sandbox/people', (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await page.getByLabel('Form').selectOption('Supplier invoice');
  await pick(page, 'Buyer', 'Nora Bakke');
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Buyer' }).inputValue())
    .toBe('Nora Bakke');
});

it('shows what is wrong beside the fields, and keeps the entries', async () => {
  const { page, countNew } = await visitForm();
  await submit(page);
  const form = page.getByLabel('Form');
  await page.getByText('Select a form.').waitFor();
  expect(await form.evaluate((element) => element.matches(':focus'))).toBe(true);
  await form.selectOption('Supplier invoice');

  // Found before the request.
  const total = page.getByLabel('Total');
  await total.fill('twelve');
  await submit(page);
  await expect.poll(() => total.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('is not a number such as 1,250.00').waitFor();
  await total.fill('12');
  await page.getByLabel('Invoice number').fill('RE-1');
  await pick(page, 'Supplier', 'Acme Tools Ltd');

  // Found by the gateway.
  const tags = page.getByLabel('Tags');
  await tags.fill('x'.repeat(300));
  await drop(page, [{ name: 'kept.txt', text: 'kept' }]);
  await submit(page);
  await page.getByRole('alert').getByText('The request was rejected.').waitFor();
  expect(await tags.getAttribute('aria-invalid')).toBe('true');
  expect(await findViolations(page)).toEqual([]);
  expect(await page.getByLabel('Invoice number').inputValue()).toBe('RE-1');
  expect(await page.locator('.file-name', { hasText: 'kept.txt' }).count()).toBe(1);
  expect(await countNew()).toBe(0);

  await tags.fill('x');
  await submit(page);
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  expect(await countNew()).toBe(1);
});

interface FormsResponse {
  readonly data: { readonly forms: readonly { readonly customFields: { columns: object[] }[] }[] };
}

it('asks for the names of the columns of a table that its form does not declare', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('CreatePage')) return route.continue();
    const response = await route.fetch();
    const json = (await response.json()) as FormsResponse;
    for (const field of json.data.forms.flatMap(({ customFields }) => customFields)) {
      field.columns = [];
    }
    return route.fulfill({ response, json });
  });
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  await page.getByLabel('Invoice number').fill('RE-1');
  await pick(page, 'Supplier', 'Acme Tools Ltd');
  const lines = page.getByRole('group', { name: 'Lines' });
  await paste(lines.getByLabel('Name of column 1'), 'Text\tPrice\nPaper\t12.50\nPens\t0.05\n');
  await lines.getByText('12.55').waitFor();
  await lines.getByRole('button', { name: 'Column', exact: true }).click();
  await lines.getByRole('textbox', { name: 'Column 3, row 1' }).fill('A4');
  await submit(page);
  await page.getByText('Enter a name for each column that has cells.').waitFor();
  expect(await lines.getAttribute('aria-describedby')).toMatch(/-issue$/);
  await lines.getByLabel('Name of column 3').fill('Size');
  await submit(page);
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  const id = page.url().replace(`${url}/app/documents/`, '');
  const { data } = await query(
    'query ($id: ID!) { document(id: $id) { value(tag: "lines") { ... on TableValue { columns rows } } } }',
    { id },
  );
  expect(data.document.value).toEqual({
    columns: ['Text', 'Price', 'Size'],
    rows: [
      ['Paper', '12.50', 'A4'],
      ['Pens', '0.05', ''],
    ],
  });
});

/** Creates a file without content: its zeros occupy no space. */
async function createLargeFile(bytes: number): Promise<string> {
  const path = join(await createDirectory(), 'large.bin');
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
  return path;
}

async function fillMemo(page: Page): Promise<void> {
  await page.getByLabel('Form').selectOption('Memo');
  await page.getByLabel('Subject').fill('A large file');
}

it('shows the progress of an upload of 200 MiB', { timeout: 120_000 }, async () => {
  const { page, query, url } = await visitForm();
  await fillMemo(page);
  const path = await createLargeFile(200 * 2 ** 20);
  await select(page, path);
  await page.getByText('209.7 MB').waitFor();
  await page.evaluate(() => {
    const shown: number[] = [];
    Object.assign(window, { shown });
    new MutationObserver(() => {
      const bar = document.querySelector('progress');
      if (bar?.hasAttribute('value') && bar.value !== shown.at(-1)) shown.push(bar.value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await submit(page);
  await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor({ timeout: 100_000 });
  const shown = await page.evaluate(() => Reflect.get(window, 'shown') as number[]);
  expect(shown.length).toBeGreaterThan(3);
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));

  const id = page.url().replace(`${url}/app/documents/`, '');
  const { data } = await query('query ($id: ID!) { document(id: $id) { files { url } } }', { id });
  const file = await fetch(data.document.files[0].url, { method: 'HEAD' });
  expect(file.headers.get('content-length')).toBe(`${200 * 2 ** 20}`);
});

it('cancels an upload, and keeps the entries', async () => {
  const { browser, page, countNew, requests, log, metrics } = await visitForm();
  await fillMemo(page);
  await select(page, await createLargeFile(200 * 2 ** 20));
  const network = await browser.newCDPSession(page);
  const uploadThroughput = 2 ** 20; // bytes per second: the upload does not end by itself
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  });
  await submit(page);
  await page.getByText(/^[1-9]\d* %: /).waitFor();
  await expect.poll(() => requests.filter((line) => line.startsWith('POST ')).length).toBe(1);
  expect(await findViolations(page)).toEqual([]);
  const cursor = await page
    .getByLabel('Subject')
    .evaluate((input) => getComputedStyle(input).cursor);
  expect(cursor).toBe('not-allowed'); // it looks disabled
  await page.getByRole('button', { name: 'Cancel upload' }).click();
  await page.getByText('The upload was cancelled. No document was created.').waitFor();
  // The gateway has aborted its request to the DMS.
  const created = () => log.find(({ operation }) => operation === 'Create');
  await expect.poll(() => created()?.['outcome']).toBe('CANCELLED');
  await expect
    .poll(() => metrics.text())
    .toMatch(/^gateway_upstream_calls_in_flight(?:\{.*\})? 0$/m);
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
  await page.locator('.file-name', { hasText: 'large.bin' }).waitFor();
  expect(await countNew()).toBe(0);
});

/** Waits until the button that selects files has the focus and a description that matches `issue`. */
async function expectFocusOnFiles(page: Page, issue: RegExp): Promise<void> {
  const focused = page.locator(':focus');
  await expect.poll(() => focused.innerText()).toBe('Select files…');
  const description = page.locator(`[id="${await focused.getAttribute('aria-describedby')}"]`);
  expect(await description.innerText()).toMatch(issue);
}

it('moves the focus to the files if one of them no longer exists', async () => {
  const { page, countNew } = await visitForm();
  await fillMemo(page);
  const path = await createLargeFile(1000);
  await select(page, path);
  await rm(path);
  await submit(page);
  await expectFocusOnFiles(page, /no longer be read: large\.bin/);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove large.bin' }).click();
  await submit(page);
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  expect(await countNew()).toBe(1);
});

it('says which limit the files exceed', async () => {
  const { page, countNew } = await visitForm({ maxUploadBytes: 1_000_000 });
  await fillMemo(page);
  await select(page, await createLargeFile(20_000_000));
  await submit(page);
  await page.getByText('all together can have at most 1 MB. No document was created.').waitFor();
  // From now on, the limit is known.
  await submit(page);
  await expectFocusOnFiles(page, /at most 1 MB/);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove large.bin' }).click();
  await select(page, await createLargeFile(900_000));
  await submit(page);
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  expect(await countNew()).toBe(1);
});

it('says that an upload far beyond the limit was rejected', async () => {
  const { page, countNew } = await visitForm({ maxUploadBytes: 1_000_000 });
  await fillMemo(page);
  await select(page, await createLargeFile(200 * 2 ** 20));
  await submit(page);
  await page.getByRole('alert').filter({ hasText: 'No document was created.' }).waitFor();
  await page.getByText('the files may be too large').waitFor();
  expect(await countNew()).toBe(0);
});

it('keeps the entries if the network is not available or the form does not exist', async () => {
  const { browser, page, url, countNew } = await visitForm();
  await fillMemo(page);
  await drop(page, [{ name: 'kept.txt', text: 'kept' }]);
  await browser.setOffline(true);
  await submit(page);
  await page.getByText('The connection was closed during the upload.').waitFor();
  await browser.setOffline(false);
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
  expect(await countNew()).toBe(0);

  // The browser has a list of forms from before the gateway was restarted with others.
  await page.getByRole('link', { name: 'DMS gateway', exact: true }).click();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await page.waitForURL(`${url}/app/views/inbox`);
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('CreatePage')) return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replace('"memo"', '"gone"') });
  });
  await page.goto(`${url}/app/new`);
  await fillMemo(page);
  await submit(page);
  await page.getByText('This form no longer exists.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Form').selectOption('Policy');
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
  await submit(page);
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
});

it.each(['{"data":null}', '{"data":{"createDocument":null}}'])(
  'keeps the entries if the gateway answers %s',
  async (body) => {
    const { page, countNew } = await visitForm();
    await fillMemo(page);
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('mutation Create') === true
        ? route.fulfill({ status: 200, contentType: 'application/json', body })
        : route.continue(),
    );
    await submit(page);
    const alert = page.getByRole('alert');
    await alert.getByText('The document may exist.').waitFor();
    expect(await alert.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
    await page.unroute('**/graphql');
    await submit(page);
    await page
      .getByText(/The document DOC-\d+ was created\./)
      .first()
      .waitFor();
    expect(await countNew()).toBe(1);
  },
);

it('says only once that the document was created', async () => {
  const { page, url } = await visitForm();
  await fillMemo(page);
  await submit(page);
  const notice = page.locator('.notice', { hasText: /The document DOC-\d+ was created\./ });
  const values = page.getByRole('heading', { name: 'Values', exact: true });
  await values.waitFor();
  await notice.waitFor();
  await page.reload();
  await values.waitFor();
  expect(await notice.count()).toBe(0);
  await page.getByRole('link', { name: 'Inbox', exact: true }).click();
  await page.waitForURL(`${url}/app/views/inbox`);
  await page.goBack();
  await values.waitFor();
  expect(await notice.count()).toBe(0);
});

it('says what is kept before the page is left, and which files are not', async () => {
  const { page, url } = await visitForm();
  await page.getByRole('link', { name: 'Archive', exact: true }).click(); // nothing was entered
  await page.waitForURL(`${url}/app/views/archive`);
  await openNewDocument(page);
  await fillMemo(page);

  await page.goBack();
  await page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(new URL(page.url()).pathname).toBe('/app/new');
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');

  await page.reload();
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
  await drop(page, [{ name: 'lost.txt', text: 'lost' }]);
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => {
    setTimeout(() => location.reload());
  });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.accept();
  // After a reload, the name of the file is all that the page has.
  await page.getByText('These files were not kept. Select them again: lost.txt').waitFor();
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
  await drop(page, [{ name: 'again.txt', text: 'again' }]);
  await page.getByText('These files were not kept.').waitFor({ state: 'detached' });

  const inbox = page.getByRole('link', { name: 'Inbox', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Leave this page?' });
  await inbox.click();
  await dialog.getByText('Your entries are kept as a draft until you close this tab.').waitFor();
  await dialog.getByText('The chosen files are not kept: again.txt').waitFor();
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForURL(`${url}/app/views/inbox`);
  await openNewDocument(page);
  expect(await page.getByLabel('Subject').inputValue()).toBe('A large file');
  await page.getByText('Select them again: again.txt').waitFor();

  await inbox.click();
  await dialog.getByRole('button', { name: 'Discard the draft' }).click();
  await page.waitForURL(`${url}/app/views/inbox`);
  await openNewDocument(page);
  await page.getByLabel('Form').waitFor();
  expect(await page.getByLabel('Subject').count()).toBe(0);
});

it('asks before an unsent comment is lost, and not after it was sent', async () => {
  const { page, url } = await visitForm();
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'With comment…' }).click();
  await page.getByLabel('Comment').fill('Checked.');
  const inbox = page.getByRole('link', { name: 'Inbox', exact: true });
  await inbox.click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByLabel('Comment').inputValue()).toBe('Checked.');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Approve: DOC-0191').first().waitFor();
  await inbox.click();
  await page.waitForURL(`${url}/app/views/inbox`);
});

it('approves with changes of a table', async () => {
  const { page, query, url } = await visitForm();
  await page.goto(`${url}/app/documents/DOC-0191`);
  await edit(page, 'Lines');
  const lines = page
    .getByRole('group', { name: 'Lines' })
    .filter({ has: page.getByRole('textbox') });
  const before = await lines.getByRole('row').count(); // with the names, the sums and no new row
  await lines.getByRole('button', { name: 'Row', exact: true }).click();
  await lines.getByRole('textbox', { name: `Article, row ${before - 1}` }).fill('Pens');
  await page.getByRole('button', { name: 'Approve with 1 change' }).click();
  await page.getByText('Approve with changes: DOC-0191').first().waitFor();
  await sendWaiting(page);
  const rowsOf = async (): Promise<string[][]> => {
    const { data } = await query(
      `{ document(id: "DOC-0191") { values(tags: ["lines"]) { ... on TableValue { rows } } } }`,
    );
    return data.document.values[0].rows;
  };
  await expect.poll(async () => (await rowsOf()).length).toBe(before - 1);
  expect((await rowsOf()).at(-1)).toEqual(['', 'Pens', '', '', '']);
});

it('approves with changes of an object and a date', async () => {
  const { page, query, url } = await visitForm();
  const read = async () => {
    const { data } = await query(
      `{ document(id: "DOC-0191") { values(tags: ["currency", "date", "supplier"]) {
        tag ... on TextValue { text organization { name } }
      } } }`,
    );
    return data.document.values;
  };
  const before = await read();
  await page.goto(`${url}/app/documents/DOC-0191`);
  await edit(page, 'Supplier');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  await expect.poll(() => supplier.inputValue()).toBe('Acme Tools Ltd');
  expect(await findViolations(page)).toEqual([]);
  await pick(page, 'Supplier', 'Baltic Freight OÜ');
  await edit(page, 'Invoice date');
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('2026-10-19');
  await page.getByText('October 19, 2026').waitFor(); // how the date is understood
  await page.getByRole('button', { name: 'Approve with 2 changes' }).click();
  await page.getByText('Approve with changes: DOC-0191').first().waitFor();
  await sendWaiting(page);
  await expect.poll(read).toEqual(
    before.map((value: { tag: string }) => {
      if (value.tag === 'date') return { ...value, text: '2026-10-19' };
      if (value.tag !== 'supplier') return value;
      return { ...value, text: expect.any(String), organization: { name: 'Baltic Freight OÜ' } };
    }),
  );
});

it('creates one document after a double click', async () => {
  const { page, countNew, requests } = await visitForm();
  await fillMemo(page);
  const directory = await createDirectory();
  await writeFile(join(directory, 'file.txt'), 'text');
  await select(page, join(directory, 'file.txt'));
  // The application reads the files before it sends them. The second click arrives during that.
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    const second = new Promise((resolve) => addEventListener('dblclick', resolve));
    Blob.prototype.arrayBuffer = function read(this: Blob) {
      return second.then(() => arrayBuffer.call(this));
    };
  });
  await page.getByRole('button', { name: 'Create draft' }).dblclick();
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Files' }).waitFor();
  expect(requests.filter((line) => line.startsWith('POST '))).toHaveLength(1);
  expect(await countNew()).toBe(1);
});

it('finds organizations without accents and by the IDs of other systems', async () => {
  const { page, url } = await visitForm();
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  const options = page.getByRole('listbox').getByRole('option');
  for (const text of ['baltic ou', 'DE810000030', 'ERP-0003']) {
    await supplier.fill(text);
    await expect.poll(() => options.count()).toBe(1);
    await page.getByRole('option', { name: 'Baltic Freight OÜ' }).waitFor();
    await supplier.fill('');
    await expect.poll(() => options.count()).toBe(14);
  }
  await supplier.fill('nobody');
  await page.getByText('Nothing has this name or ID.').waitFor();
});

it('takes the marked suggestion when the field is left', async () => {
  const { page, url } = await visitForm();
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  await supplier.fill('baltic');
  await page.getByRole('option', { name: 'Baltic Freight OÜ', selected: true }).waitFor();
  await supplier.press('Tab');
  await expect.poll(() => supplier.inputValue()).toBe('Baltic Freight OÜ');
});

it('takes no suggestion that is not meant', async () => {
  const { page, url } = await visitForm();
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  const marked = page.getByRole('listbox').getByRole('option', { selected: true });
  await supplier.fill('g');
  await marked.waitFor();
  await supplier.press('Tab');
  expect(await supplier.inputValue()).toBe('g');
  await page.getByText('“g” is not one of the suggestions.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  for (const key of ['Tab', 'Enter']) {
    await supplier.fill('');
    await supplier.pressSequentially(' ');
    await supplier.press(key);
    expect(await supplier.inputValue()).toBe('');
  }
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('OrganizationSearch') ? route.abort() : route.continue(),
  );
  await supplier.fill('Zulu Ltd');
  await page.getByText('The suggestions cannot be loaded.').waitFor();
  await supplier.press('Tab');
  expect(await supplier.inputValue()).toBe('Zulu Ltd');
  await page.getByText('“Zulu Ltd” is not one of the suggestions.').waitFor();
});

it('takes the suggestion that was named before it was loaded', async () => {
  const { page, url, countNew } = await visitForm();
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  await page.getByLabel('Invoice number').fill('RE-1');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  const release = await holdRequests(page, 'OrganizationSearch');
  await supplier.fill('ACME tools ltd');
  await page.getByRole('option', { name: 'Acme Tools Ltd', selected: false }).waitFor();
  await supplier.press('Tab');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await supplier.getAttribute('aria-invalid')).toBeNull();
  await submit(page);
  await expect.poll(() => supplier.evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(await countNew()).toBe(0);
  release();
  await expect.poll(() => supplier.inputValue()).toBe('Acme Tools Ltd');
  expect(await supplier.getAttribute('aria-invalid')).toBeNull();
});

it('marks a text that names nothing when its suggestions have been loaded', async () => {
  const { page } = await visitForm();
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const release = await holdRequests(page, 'OrganizationSearch');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  await supplier.fill('baltic');
  await supplier.press('Tab');
  expect(await supplier.getAttribute('aria-invalid')).toBeNull();
  release();
  await page.getByText('“baltic” is not one of the suggestions.').waitFor();
  expect(await supplier.inputValue()).toBe('baltic');
});

it('takes no control character for the mark of a text that names no object', async () => {
  const { page } = await visitForm();
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const number = page.getByLabel('Invoice number');
  await number.fill('RE\0 1');
  await number.press('Tab');
  expect(await number.getAttribute('aria-invalid')).toBeNull();
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  await supplier.fill('nobody\0at all');
  await page.getByText('Nothing has this name or ID.').waitFor();
  await supplier.press('Tab');
  await page.getByText('“nobodyat all” is not one of the suggestions.').waitFor();
});

it('keeps and marks a text that names no object', async () => {
  const { page, url, countNew } = await visitForm();
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  await page.getByLabel('Invoice number').fill('RE-1');
  const names = ['Supplier', 'Buyer', 'Contract', 'Related documents'];
  for (const name of names) {
    const input = page.getByRole('combobox', { name });
    await input.fill('nobody');
    await page.getByText(/^(?:Nothing has|No person|None of the)/).waitFor();
    await input.press('Tab');
    expect(await input.inputValue()).toBe('nobody');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
  }
  expect(await page.getByText('“nobody” is not one of the suggestions.').count()).toBe(
    names.length,
  );
  await pick(page, 'Related documents', 'Records policy, edition 5');
  await page.getByRole('button', { name: 'Create draft' }).click();
  const focused = page.locator(':focus');
  await expect.poll(() => focused.getAttribute('aria-invalid')).toBe('true');
  expect(await focused.inputValue()).toBe('nobody');
  expect(await countNew()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await page.reload();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Buyer' }).inputValue())
    .toBe('nobody');
  await page.getByRole('button', { name: 'Remove Records policy, edition 5' }).waitFor();
});

it('does not take a suggestion for the text before', async () => {
  const { page, url } = await visitForm();
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Supplier invoice');
  const supplier = page.getByRole('combobox', { name: 'Supplier' });
  const marked = page.getByRole('listbox').getByRole('option', { selected: true });
  await supplier.fill('a');
  await marked.waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/graphql', (route) => held.promise.then(() => route.continue()));
  await supplier.fill('acme');
  await page.getByRole('option', { name: 'Acme Tools Ltd' }).waitFor();
  expect(await marked.count()).toBe(0);
  await supplier.press('Enter');
  expect(await supplier.inputValue()).toBe('acme');
  held.resolve();
  await marked.waitFor();
  await supplier.press('Enter');
  await expect.poll(() => supplier.inputValue()).toBe('Acme Tools Ltd');
});

it.each([
  {
    language: 'en',
    form: 'Supplier invoice',
    labels: ['Supplier', 'Buyer', 'Contract'],
    placeholders: [
      'Name or ID of an organization',
      'Name or unit',
      'Title of a recent document, or an ID',
    ],
    unknown: 'No document that you can see has this ID.',
    wrong: 'Enter a value.',
  },
  {
    language: 'de',
    form: 'Eingangsrechnung',
    labels: ['Lieferant', 'Einkäufer', 'Vertrag'],
    placeholders: [
      'Name oder ID einer Organisation',
      'Name oder Abteilung',
      'Titel der letzten Dokumente oder ID',
    ],
    unknown: 'Kein Dokument, das Sie sehen dürfen, hat diese ID.',
    wrong: 'Geben Sie einen Wert ein.',
  },
] as const)(
  'takes the first match with Enter, and says what is searched: $language',
  async ({ language, form, labels, placeholders, unknown, wrong }) => {
    const { page } = await visitForm();
    await page.evaluate((code) => localStorage.setItem('inbox.language', code), language);
    await page.reload();
    await page.getByLabel(/^Form/).selectOption(form);
    const boxes = labels.map((name) => page.getByRole('combobox', { name }));
    for (const [index, text, option, chosen] of [
      [0, 'acme', /^Acme Tools Ltd/, /^Acme Tools Ltd$/],
      [1, 'nora', /^Nora Bakke/, /^Nora Bakke$/],
      [2, 'C-040', /^Frame contract C-040/, /^Frame contract C-040/],
    ] as const) {
      const box = boxes[index]!;
      expect(await box.getAttribute('placeholder')).toBe(placeholders[index]);
      await box.click();
      await page.keyboard.type(text);
      const first = page.getByRole('option', { name: option, selected: true });
      await first.waitFor();
      expect(await box.getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'));
      await page.keyboard.press('Enter');
      await expect.poll(() => box.inputValue()).toMatch(chosen);
    }
    await boxes[2]!.fill('DOC-9999');
    await page.getByRole('status').getByText(unknown).waitFor();
    // What finds nothing is not sent with Enter, although the invoice has no number.
    await boxes[1]!.fill('nobody at all');
    await page.getByRole('status').filter({ hasText: /\S/ }).first().waitFor();
    await page.keyboard.press('Enter');
    expect(await page.getByText(wrong).count()).toBe(0);
    expect(await boxes[1]!.inputValue()).toBe('nobody at all');
  },
);

it.each([1280, 360])(
  'shows the focus of a cell whole, and that there are more columns: %d px',
  async (width) => {
    const { page } = await visitForm();
    await page.setViewportSize({ width, height: 800 });
    await page.getByLabel('Form').selectOption('Supplier invoice');
    const table = page.locator('.table-field');
    await table.getByRole('button', { name: 'Row', exact: true }).click();
    for (const name of ['Pos, row 1', 'Amount, row 1']) {
      const cell = table.getByLabel(name);
      await cell.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      const ring = await cell.evaluate((element) => {
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
        const [own, cut] = [element, element.closest('.scroll-x')!].map((one) =>
          one.getBoundingClientRect(),
        );
        return {
          outlineStyle,
          beyond: parseFloat(outlineWidth) + parseFloat(outlineOffset),
          isWhole: own!.left >= cut!.left && own!.right <= cut!.right + 1,
        };
      });
      expect(ring).toMatchObject({ outlineStyle: 'solid', isWhole: true });
      expect(ring.beyond).toBeLessThanOrEqual(0);
    }
    const hint = () =>
      table
        .locator('.scroll-x')
        .evaluate((element) => getComputedStyle(element, '::after').opacity);
    const scrollTo = (left: number) =>
      table.locator('.scroll-x').evaluate((element, x) => element.scrollTo({ left: x }), left);
    await scrollTo(0);
    await expect.poll(hint).toBe(width === 360 ? '1' : '0');
    await scrollTo(10_000);
    await expect.poll(hint).toBe('0');
  },
);
