/** @module-tag nightly */
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';
import { visit } from './browser.ts';
import { edit, sendWaiting, startInbox, unexpected } from './inbox.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

const live = { server: pollingEvery(300) };

/** Opens a page, and waits until its subscription has sent the current state. */
async function open(page: Page, url: string, operation: string): Promise<void> {
  const subscribed = page.waitForResponse(
    (response) => response.request().postDataJSON()?.operationName === operation,
  );
  await page.goto(url);
  await subscribed;
}

/** Whether a request, or that of a response, is the subscription of a document. */
function isSubscription(of: { request(): Request }): boolean {
  return of.request().postDataJSON()?.operationName === 'WatchDocument';
}

async function choosePerson(page: Page, person: string): Promise<void> {
  await page.getByLabel('Signed in as').selectOption(person);
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
}

it('shows the approval of one browser in the other one', async () => {
  const { url } = await startInbox(live);
  const first = await visit(url);
  const second = await visit(url);
  await open(first.page, `${url}/app/views/inbox`, 'WatchDocuments');
  await first.page.getByText('of 26 documents').first().waitFor();
  await second.page.goto(`${url}/app/documents/DOC-0191`);
  await choosePerson(second.page, 'usr-ann');
  const watching = await visit(url);
  await open(watching.page, `${url}/app/documents/DOC-0191`, 'WatchDocument');
  await watching.page.getByRole('heading', { name: 'Values', exact: true }).waitFor();

  await second.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await sendWaiting(second.page);

  const row = first.page.getByRole('row', { name: /DOC-0191/ });
  await row.getByText('Updated').waitFor();
  await first.page.getByRole('status').getByText('The list was updated.').waitFor();
  await watching.page.getByText('The document was changed. You see the current').first().waitFor();
  expect(await second.page.getByText('The document was changed').count()).toBe(0); // its own change
  for (const { outside, complaints } of [first, second, watching]) {
    expect(outside).toEqual([]);
    expect(unexpected(complaints, url)).toEqual([]);
  }
});

it('offers no response after somebody else has declined the document', async () => {
  const { url, query } = await startInbox(live);
  const { page } = await visit(url);
  await open(page, `${url}/app/documents/DOC-0191`, 'WatchDocument');
  const bar = page.getByRole('group', { name: 'Actions' });
  await bar.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  const { data } = await query(
    `mutation {
      respondToDocument(input: { document: "DOC-0191", action: DECLINE, content: "Twice." }) { __typename }
    }`,
  );
  expect(data.respondToDocument.__typename).toBe('RespondToDocumentPayload');
  await bar.getByText('It was declined.').waitFor();
  expect(await bar.getByRole('button').first().innerText()).toBe('Start this phase again');
});

it('keeps changes that can no longer be sent, and asks for no action with them', async () => {
  const { url, query } = await startInbox(live);
  const { page } = await visit(url);
  await open(page, `${url}/app/documents/DOC-0191`, 'WatchDocument');
  await edit(page, 'Currency');
  const currency = page.getByRole('combobox', { name: 'Currency' });
  await currency.selectOption({ label: 'US dollar' });
  const bar = page.getByRole('group', { name: 'Actions' });
  await bar.getByRole('button', { name: 'Approve with 1 change' }).waitFor();
  const offered = ['Approve with 1 change', 'Cancel', 'With comment…'];
  expect(await bar.getByRole('button').allInnerTexts()).toEqual(offered);
  await currency.blur();
  await page.keyboard.press('d'); // a decline would drop the change
  expect(await page.getByLabel('Why do you decline it?').count()).toBe(0);
  const { data } = await query(
    `mutation {
      respondToDocument(input: { document: "DOC-0191", action: DECLINE, content: "Twice." }) { __typename }
    }`,
  );
  expect(data.respondToDocument.__typename).toBe('RespondToDocumentPayload');
  await page.getByRole('button', { name: 'Show the current version' }).click();
  await bar.getByText('It was declined.').waitFor();
  expect(await currency.locator('option:checked').innerText()).toBe('US dollar');
  expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Cancel']);
  await page.keyboard.press('a');
  expect(await page.locator('.toast').count()).toBe(0);
  await bar.getByRole('button', { name: 'Cancel' }).click();
  await currency.waitFor({ state: 'detached' });
  await bar.getByRole('button', { name: 'Start this phase again' }).waitFor();
});

it('shows the conflict of two approvals beside the entries', async () => {
  const { url } = await startInbox(live);
  const first = await visit(url);
  const second = await visit(url);
  const pages = [first.page, second.page];
  for (const [index, page] of pages.entries()) {
    await open(page, `${url}/app/documents/DOC-0191`, 'WatchDocument');
    if (index === 1) await choosePerson(page, 'usr-ann');
    await page.getByRole('button', { name: 'With comment…' }).click();
    await page.getByLabel('Comment').fill(`Comment ${index}`);
  }
  await first.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await sendWaiting(first.page);

  // The other form says that the document has changed, and keeps the entries and the revision.
  const { page } = second;
  const notice = page.locator('p:visible', { hasText: 'The document was changed while you are' });
  await notice.waitFor();
  const comment = page.getByLabel('Comment');
  expect(await comment.inputValue()).toBe('Comment 1');
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await approve.click(); // would fail: the notice has the focus
  expect(await page.locator('#outdated-notice').evaluate((one) => one.matches(':focus'))).toBe(
    true,
  );
  await page.getByRole('button', { name: 'Show the current version' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await comment.inputValue()).toBe('Comment 1');
  await approve.click();
  await page.getByText('Approve: DOC-0191').first().waitFor();
  await sendWaiting(page);
});

it('announces the current version only after it was read', async () => {
  const { url, query } = await startInbox(live);
  const { page } = await visit(url);
  await open(page, `${url}/app/documents/DOC-0191`, 'WatchDocument');
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  const region = page.locator('[role="status"][aria-live="polite"]');
  const announced = await region.evaluateHandle((element) => {
    const texts: string[] = [];
    const add = () => element.textContent === '' || texts.push(element.textContent);
    new MutationObserver(add).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return texts;
  });
  const move = (action: string) =>
    query(
      `mutation { moveDocument(input: { document: "DOC-0191", action: ${action} }) { __typename } }`,
    );
  let isFailing = true;
  await page.route('**/graphql', (route) => {
    const isRead = route.request().postDataJSON()?.operationName === 'DocumentPage';
    return isFailing && isRead ? route.abort() : route.continue();
  });
  await move('SUSPEND');
  await page.getByRole('region', { name: 'Connection' }).waitFor();
  isFailing = false;
  await region.getByText('The connection is back.').waitFor();
  await page.getByText('Suspended').first().waitFor();
  await move('RESUME');
  await region.getByText('You see the current version').waitFor();
  expect(await announced.jsonValue()).toEqual([
    'The gateway cannot be reached.',
    'The connection is back. The data is current.',
    'The document was changed. You see the current version.',
  ]);
});

it('subscribes again after the connection was lost', async () => {
  const gateway = await startInbox(live);
  const proxy = await startTcpProxy(gateway.url);
  const { page } = await visit(proxy.url);
  await open(page, `${proxy.url}/app/documents/DOC-0191`, 'WatchDocument');
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  // No query is in flight: the recovery of a query would subscribe again, too.
  const values = page.getByRole('region', { name: 'Values' });
  await values.getByText('Invoice number', { exact: true }).waitFor();
  await values.getByText('Acme Tools Ltd').waitFor();
  const subscribed = page.waitForResponse(isSubscription);
  await proxy.stop();
  await proxy.start();
  expect((await subscribed).ok()).toBe(true);
  await gateway.query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: SUSPEND }) { __typename } }',
  );
  await page.getByText('Suspended').first().waitFor();
});

it('subscribes again after the stream was completed', async () => {
  const { url } = await startInbox(live);
  const { page } = await visit(url);
  let count = 0;
  await page.route('**/graphql', async (route) => {
    if (!isSubscription(route) || count++ > 0) return route.continue();
    const contentType = 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0';
    return route.fulfill({ contentType, body: '\r\n--graphql--\r\n' });
  });
  await page.goto(`${url}/app/documents/DOC-0191`);
  await expect.poll(() => count).toBe(2);
});

it('subscribes only while the tab is visible', async () => {
  const { url, query } = await startInbox(live);
  const { page } = await visit(url);
  const subscriptions: string[] = [];
  page.on('request', (request) => {
    const name = request.method() === 'POST' ? request.postDataJSON()?.operationName : null;
    if (name === 'WatchDocument') subscriptions.push(name);
  });
  await open(page, `${url}/app/documents/DOC-0191`, 'WatchDocument');
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  const count = subscriptions.length;
  const setHidden = (isHidden: boolean): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  const ended = page.waitForEvent('requestfailed'); // the browser closes the stream
  await setHidden(true);
  await ended;
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: SUSPEND }) { __typename } }',
  );
  expect(subscriptions).toHaveLength(count);
  await setHidden(false);
  await page.getByText('Suspended').first().waitFor(); // the change that happened meanwhile
  expect(subscriptions.length).toBeGreaterThan(count);
});
