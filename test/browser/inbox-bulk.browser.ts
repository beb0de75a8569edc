import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { asksBeforeEnd, openNewDocument, sendWaiting, startInbox, stopClock } from './inbox.ts';

/** Opens the first page of the inbox, with its 26 documents. */
async function visitList() {
  const gateway = await startInbox();
  const { page } = await visit(gateway.url);
  await page.goto(`${gateway.url}/app/views/inbox`);
  await page.getByText('1 to 20 of 26 documents').first().waitFor();
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') });
  const ids = await rows
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => /DOC-\d+/.exec(link.getAttribute('href')!)![0]));
  return { ...gateway, page, rows, ids };
}

/** Chooses a response of the bar. */
const choose = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('form', { name: 'Selected documents' })
    .getByRole('button', { name, exact: true })
    .click();

/** Calls `change` before a bulk mutation reaches the gateway, as another user could. */
async function changeMeanwhile(page: Page, change: () => Promise<unknown>): Promise<void> {
  await page.route('**/graphql', async (route) => {
    if (/RespondToAll|MoveAll/.test(route.request().postData() ?? '')) await change();
    await route.continue();
  });
}

it('approves several documents, and says which one someone else has changed', async () => {
  const { page, rows, ids, query } = await visitList();
  const [first = '', second = '', , fourth = ''] = ids;
  await rows.nth(0).getByRole('checkbox').check();
  await rows.nth(1).getByRole('checkbox').check();
  await rows.nth(3).getByRole('checkbox').check();
  await page.getByText('3 selected').waitFor();
  expect(await findViolations(page)).toEqual([]);
  const read = (id: string) =>
    query('query ($id: ID!) { document(id: $id) { state meta { revision } } }', { id });
  const before = (await read(second)).data.document;

  await changeMeanwhile(page, async () => {
    for (const action of ['SUSPEND', 'RESUME']) {
      const { data } = await query(
        'mutation ($input: MoveDocumentInput!) { moveDocument(input: $input) { __typename } }',
        { input: { document: second, action } },
      );
      expect(data.moveDocument.__typename).toBe('MoveDocumentPayload');
    }
  });
  await choose(page, 'Approve');
  await page.getByLabel('Comment').fill('Checked together.');
  await page.getByRole('button', { name: 'Apply to 3' }).click();
  await sendWaiting(page);
  await page.getByText('Approve: 2 of 3 documents').first().waitFor();
  await page.unroute('**/graphql');
  await page.getByText('1 to 20 of 24 documents').first().waitFor(); // read again
  const failed = page.getByRole('row').filter({ has: page.locator(`a[href*="/${second}?"]`) });
  await failed.getByText('Someone else has changed the document').waitFor();
  expect(await failed.getByRole('checkbox').isChecked()).toBe(true);
  await page.getByText('1 selected').waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect((await read(second)).data.document.meta.revision).toBe(before.meta.revision + 2);
  for (const id of [first, fourth]) {
    expect(await page.locator(`a[href*="/${id}?"]`).count()).toBe(0);
  }

  // The list has the current revision now.
  await choose(page, 'Approve');
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await page.getByText('Approve: 1 document', { exact: true }).first().waitFor();
  await sendWaiting(page);
  await page.getByText('1 to 20 of 23 documents').first().waitFor();
});

it('says in words of a clerk why some have failed', { tags: ['nightly'] }, async () => {
  const { page, rows, ids, query } = await visitList();
  for (let i = 0; i < 3; i++) await rows.nth(i).getByRole('checkbox').check();
  await changeMeanwhile(page, () =>
    query(
      `mutation ($one: ID!, $other: ID!) {
        one: moveDocument(input: { document: $one, action: DELETE }) { __typename }
        other: moveDocument(input: { document: $other, action: SUSPEND }) { __typename }
      }`,
      { one: ids[0], other: ids[1] },
    ),
  );
  await choose(page, 'Decline');
  await page.keyboard.type('A duplicate.'); // the keys of these letters are no shortcuts
  expect(await page.getByLabel('Why do you decline them?').inputValue()).toBe('A duplicate.');
  await page.getByRole('button', { name: 'Apply to 3' }).click();
  await sendWaiting(page);
  const notice = page.getByRole('region', { name: 'Earlier action' });
  await notice.getByText('Decline: 1 of 3 documents').waitFor();
  await expect
    .poll(() => notice.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringMatching(
        /: A required object does not exist, or you are not allowed to see it\.$/,
      ),
      expect.stringMatching(
        /: Someone else has changed the document, and nothing was written\. .*$/,
      ),
    ]);
  await notice.getByRole('link').last().click();
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  const head = (await page.locator('.page-heading').boundingBox())!;
  const { y, height } = (await notice.boundingBox())!;
  expect(head.y).toBeGreaterThan(y + height);
});

it('begins anew with each selection', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  for (const leave of ['Escape', 'button', 'row'] as const) {
    await rows.nth(0).getByRole('checkbox').check();
    await choose(page, 'Approve');
    await page.getByLabel('Comment').fill('Duplicate of RE-2026-0044');
    if (leave === 'Escape') await rows.nth(0).getByRole('checkbox').press('Escape');
    else if (leave === 'row') await rows.nth(0).getByRole('checkbox').uncheck();
    else await page.getByRole('button', { name: 'Clear selection' }).click();
    await approve.waitFor({ state: 'detached' });
    await rows.nth(1).getByRole('checkbox').check();
    await approve.waitFor();
    expect(await page.getByLabel('Comment').count()).toBe(0);
    await rows.nth(1).getByRole('checkbox').uncheck();
  }
});

it('asks before a comment is lost', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  await rows.nth(0).getByRole('checkbox').check();
  await choose(page, 'Approve');
  await page.getByLabel('Comment').fill('Checked together.');
  await rows.nth(1).getByRole('link').click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByLabel('Comment').inputValue()).toBe('Checked together.');
  await page.getByText('1 selected').waitFor();
  await page.getByLabel('Comment').fill('');
  await rows.nth(1).getByRole('link').click();
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
});

it('discards a selection with its comment', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  await rows.nth(0).getByRole('checkbox').check();
  await choose(page, 'Approve');
  await page.getByLabel('Comment').fill('Checked together.');
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByRole('button', { name: 'Leave and discard' }).click();
  await page.getByRole('heading', { name: 'All documents' }).waitFor();
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await rows.nth(0).waitFor();
  expect(await page.getByText('1 selected').count()).toBe(0);
});

it('selects ranges, and moves documents', { tags: ['nightly'] }, async () => {
  const { page, rows, ids, query } = await visitList();
  await rows.nth(2).getByRole('checkbox').check();
  await rows
    .nth(5)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText('4 selected').waitFor();
  await rows.nth(4).getByRole('checkbox').uncheck();
  await page.getByText('3 selected').waitFor();
  await page.getByLabel('Action').selectOption('Suspend');
  await page.getByRole('button', { name: 'Apply to 3' }).click();
  await page.getByText('Suspend: 3 documents').first().waitFor();
  await sendWaiting(page);
  const stateOf = async (id: string) => {
    const { data } = await query('query ($id: ID!) { document(id: $id) { state } }', { id });
    return data.document.state;
  };
  await expect.poll(() => Promise.all(ids.slice(2, 6).map(stateOf))).toEqual([60, 60, 10, 60]);

  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('21 to').first().waitFor();
  expect(await page.getByText('selected', { exact: false }).count()).toBe(0);
});

it('says that the outcome is unknown if the response is lost', async () => {
  const { page, rows, query } = await visitList();
  await rows.nth(0).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Select all 20' }).click();
  await page.getByText('20 selected').waitFor();
  await page.getByLabel('Action').selectOption('Delete');
  const apply = page.getByRole('button', { name: 'Apply to 20' });
  await apply.click(); // the browser requires the confirmation
  await page.getByLabel('Delete for everyone.').check();
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('MoveAll') === true ? route.abort() : route.continue(),
  );
  await apply.click();
  await sendWaiting(page);
  await page.getByText('Delete: 0 of 20 documents').first().waitFor();
  expect(await page.getByText('The outcome is unknown').count()).toBe(20);
  const { data } = await query('{ documents(view: INBOX, first: 1) { totalCount } }');
  expect(data.documents.totalCount).toBe(26);
});

it(
  'shows the result above another page of the list, whose selection is kept',
  { tags: ['nightly'] },
  async () => {
    const { page, rows } = await visitList();
    const held = Promise.withResolvers<void>();
    await changeMeanwhile(page, () => held.promise);
    await rows.nth(0).getByRole('checkbox').check();
    await rows.nth(1).getByRole('checkbox').check();
    await choose(page, 'Approve');
    await page.getByRole('button', { name: 'Apply to 2' }).click();
    await sendWaiting(page);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('of 24 documents').first().waitFor();
    await rows.last().getByRole('checkbox').check();
    held.resolve();
    await page.locator('.toast').getByText('Approve: 2 documents').waitFor();
    await page.getByText('21 to 24 of 24 documents').first().waitFor(); // read again
    await page.getByText('1 selected').waitFor();
    expect(await rows.last().getByRole('checkbox').isChecked()).toBe(true);
  },
);

it(
  'shows above another view which documents an action has failed for',
  { tags: ['nightly'] },
  async () => {
    const { page, rows, ids } = await visitList();
    const held = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON()?.operationName !== 'RespondToAll') return route.continue();
      await held.promise;
      return route.abort();
    });
    await rows.nth(0).getByRole('checkbox').check();
    await choose(page, 'Approve');
    await page.getByRole('button', { name: 'Apply to 1' }).click();
    await sendWaiting(page);
    await openNewDocument(page);
    held.resolve();
    const notice = page.getByRole('region', { name: 'Earlier action' });
    await notice.getByText('Approve: 0 of 1 document', { exact: true }).waitFor();
    await notice.getByText('The outcome is unknown').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await notice.getByRole('link').click();
    await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
    expect(page.url()).toMatch(new RegExp(`/app/documents/${ids[0]}$`));
  },
);

it('selects everything again that is taken back', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  await stopClock(page);
  const title = (index: number) => rows.nth(index).getByRole('link').innerText();
  const apply = async (index: number, response: string, comment: string): Promise<string> => {
    const name = await title(index);
    await rows.nth(index).getByRole('checkbox').check();
    await choose(page, response);
    await page.getByRole('form', { name: 'Selected documents' }).getByRole('textbox').fill(comment);
    await page.getByRole('button', { name: 'Apply to 1' }).click();
    const countRows = async (): Promise<number> => {
      await page.clock.runFor(1); // Apollo Client passes changes of its cache on with a timer
      return rows.filter({ hasText: name }).count();
    };
    await expect.poll(countRows).toBe(0);
    return name;
  };
  const undo = () => page.getByRole('button', { name: 'Undo all 2' }).click();
  const selected = () =>
    page.getByRole('row').filter({ has: page.getByRole('checkbox', { checked: true }) });
  const selectedTitles = async () => {
    await page.clock.runFor(1);
    return selected().getByRole('link').allInnerTexts();
  };
  let titles = [await apply(0, 'Approve', 'First.'), await apply(2, 'Approve', 'Second.')];
  await undo();
  await expect.poll(selectedTitles).toEqual(titles);
  await page.getByText('2 selected').waitFor();
  expect(await page.getByRole('button', { name: 'Apply to 2' }).count()).toBe(0);
  await choose(page, 'Approve');
  expect(await page.getByLabel('Comment').inputValue()).toBe('First. / Second.');

  await page.getByRole('button', { name: 'Clear selection' }).click();
  titles = [await apply(0, 'Approve', ''), await apply(2, 'Decline', 'Twice.')];
  await undo();
  await expect.poll(selectedTitles).toEqual(titles);
  await page.getByText('2 selected').waitFor();
  expect(await page.getByRole('button', { name: 'Apply to 2' }).count()).toBe(0);
});

it('asks before a long reason for many documents is lost', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  await stopClock(page);
  for (let i = 0; i < 12; i++) await rows.nth(i).getByRole('checkbox').check();
  await choose(page, 'Decline');
  const reason = page.getByLabel('Why do you decline them?');
  await reason.fill('   ');
  await page.getByRole('button', { name: 'Apply to 12' }).click();
  expect(await reason.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false);
  await reason.fill('x'.repeat(7000)); // the DMS gets it for each document
  await page.getByRole('button', { name: 'Apply to 12' }).click();
  await page.locator('.toast').waitFor();
  expect(await asksBeforeEnd(page)).toBe(true);
});

it('opens nothing with the second click of a double click', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  for (let i = 0; i < 2; i++) await rows.nth(i).getByRole('checkbox').check();
  await choose(page, 'Approve');
  const apply = (await page.getByRole('button', { name: 'Apply to 2' }).boundingBox())!;
  const [x, y] = [apply.x + apply.width / 2, apply.y + apply.height / 2];
  await page.mouse.dblclick(x, y);
  await page.locator('.toast').getByText('Approve: 2 documents').waitFor();
  await page.getByText('1 to 20 of 24 documents').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/views/inbox');
  await page.mouse.click(x, y);
  await page.waitForURL(/documents\/DOC-/); // the next click counts
});

it('keeps what is selected while an action is sent', { tags: ['nightly'] }, async () => {
  const { page, rows } = await visitList();
  const held = Promise.withResolvers<void>();
  await changeMeanwhile(page, () => held.promise);
  await rows.nth(0).getByRole('checkbox').check();
  await choose(page, 'Approve');
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await sendWaiting(page);
  await page.getByText('of 25 documents').first().waitFor();
  await rows.nth(1).getByRole('checkbox').check();
  await choose(page, 'Decline');
  await page.getByLabel('Why do you decline them?').fill('Twice.');
  held.resolve();
  await page.getByText('Approve: 1 document', { exact: true }).first().waitFor();
  await page.getByText('1 to 20 of 25 documents').first().waitFor();
  await page.locator('.toast').waitFor({ state: 'detached' });
  expect(await rows.nth(1).getByRole('checkbox').isChecked()).toBe(true);
  expect(await page.getByLabel('Why do you decline them?').inputValue()).toBe('Twice.');
});
