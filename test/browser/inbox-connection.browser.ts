/** @module-tag nightly */
import type { Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { RateLimiter } from '../../src/rest/client/limits/rate-limiter.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts';
import { visit } from './browser.ts';
import { sendWaiting, startInbox } from './inbox.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

it('says that the DMS is not available, and recovers by itself', async () => {
  let proxy!: TcpProxy;
  const { url } = await startInbox({
    route: async (sandboxUrl) => {
      proxy = await startTcpProxy(sandboxUrl);
      return proxy.url;
    },
  });
  const { page, outside } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('1 to 20 of 26 documents').first().waitFor();
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByText('of 200 documents').first().waitFor();

  await proxy.stop();
  await page.getByRole('link', { name: 'Inbox', exact: true }).click(); // reads the list again
  const banner = page.getByRole('region', { name: 'Connection' });
  await banner.getByText('The document service is not available.').waitFor();
  await banner.getByText(/The last data was received at \d/).waitFor();
  await banner.getByText(/Next attempt in \d+ s/).waitFor();
  expect(await page.getByRole('row').count()).toBe(21); // what was loaded before stays
  const retried = page.waitForRequest(
    (request) => request.postDataJSON()?.operationName === 'DocumentList',
  );
  await banner.getByRole('button', { name: 'Try now' }).click();
  await retried;
  await banner.waitFor();

  // A page that was never loaded says so in its place.
  await page.getByRole('link', { name: 'Repository' }).click();
  await page.getByText('The documents cannot be shown.').waitFor();

  await proxy.start();
  await page
    .getByText(/1 to \d+ of \d+ documents/)
    .first()
    .waitFor();
  await banner.waitFor({ state: 'detached' });
  await page.getByText('The documents cannot be shown.').waitFor({ state: 'detached' });
  expect(outside).toEqual([]);
});

it('says that the gateway cannot be reached, and keeps what was typed', async () => {
  const gateway = await startInbox();
  const proxy = await startTcpProxy(gateway.url);
  const { page } = await visit(proxy.url);
  await page.goto(`${proxy.url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'With comment…' }).click();
  const comment = page.getByLabel('Comment');
  await comment.fill('Checked.');

  await proxy.stop();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await sendWaiting(page);
  const earlier = page.getByRole('region', { name: 'Earlier action' });
  await earlier.getByText('The connection was lost. Check whether').waitFor();
  const banner = page.getByRole('region', { name: 'Connection' });
  await banner.getByText('The gateway cannot be reached.').waitFor();

  await proxy.start();
  await banner.waitFor({ state: 'detached' });
  await earlier.getByRole('link', { name: 'Show the document' }).click();
  await expect.poll(() => comment.inputValue()).toBe('Checked.');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Approve: DOC-0191').first().waitFor();
});

it('renews an expired sign-in: a query is repeated, a mutation is not', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByLabel('Signed in as').selectOption('usr-ann');
  await page.getByText('of 18 documents').first().waitFor();
  const statuses: string[] = [];
  page.on('response', (response) => {
    const { operationName } = response.request().postDataJSON() ?? {};
    if (operationName) statuses.push(`${operationName} ${response.status()}`);
  });
  /** The operation whose next request has a token that the gateway does not accept. */
  let expiring: string | null = null;
  await page.route(`${url}/graphql`, async (route, request) => {
    if (request.postDataJSON()?.operationName !== expiring) return route.continue();
    expiring = null;
    return route.continue({ headers: { ...request.headers(), authorization: 'Bearer expired' } });
  });

  expiring = 'DocumentPage';
  await page.getByRole('link', { name: 'Invoice RE-2026-0058 of Acme Tools Ltd' }).click();
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  expect(statuses.filter((one) => one.startsWith('DocumentPage'))).toEqual([
    'DocumentPage 401',
    'DocumentPage 200',
  ]);

  await page.getByRole('button', { name: 'With comment…' }).click();
  const comment = page.getByLabel('Comment');
  await comment.fill('Checked.');
  expiring = 'Respond';
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await approve.click();
  await sendWaiting(page);
  await page.getByText('Your sign-in had expired. Nothing was sent').waitFor();
  await page.getByRole('link', { name: 'Show the document' }).click();
  await expect.poll(() => comment.inputValue()).toBe('Checked.');
  expect(statuses.filter((one) => one.startsWith('Respond '))).toEqual(['Respond 401']);
  await approve.click();
  await page.getByText('Approve: DOC-0191').first().waitFor();
});

it('waits as long as the gateway says', async () => {
  const { url } = await startInbox({
    http: { rateLimiter: new RateLimiter({ callsPerMinute: 12 }) },
  });
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  for (const view of ['All documents', 'Archive', 'Repository', 'My documents']) {
    await page.getByRole('link', { name: view }).click();
    await page.getByRole('heading', { name: view }).waitFor();
  }
  const banner = page.getByRole('region', { name: 'Connection' });
  await banner.getByText('There were too many requests.').waitFor();
  // Not the delay of the back-off.
  await expect
    .poll(async () => Number(/Next attempt in (\d+) s/.exec(await banner.innerText())?.[1]))
    .toBeGreaterThan(5);
});

it('reports no failure if the document cannot be read after an action', async () => {
  const { url } = await startInbox({ server: pollingEvery(300) });
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName !== 'Move') return route.continue();
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: Record<string, object> };
    const extensions = { code: 'UPSTREAM_UNAVAILABLE' };
    const errors = [{ message: 'Failed.', path: ['moveDocument', 'document'], extensions }];
    const moveDocument = { ...data['moveDocument'], document: null };
    return route.fulfill({ json: { data: { moveDocument }, errors } });
  });
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Move…' }).click();
  await page.getByLabel('Action', { exact: true }).selectOption('SUSPEND');
  await page.getByRole('button', { name: 'Suspend' }).click();
  await sendWaiting(page);
  // The subscription reports the new version, which is then read.
  await page.locator('p.notice', { hasText: 'You see the current version' }).waitFor();
  expect(page.url()).toBe(`${url}/app/documents/DOC-0191`);
  expect(await page.getByRole('region', { name: 'Earlier action' }).count()).toBe(0);
});

it.each([
  { failure: 'fails', answer: { status: 500 } },
  { failure: 'has no response', answer: null },
])('says that nothing was sent if the renewal of the sign-in $failure', async ({ answer }) => {
  const { url } = await startInbox({ tokenLifetimeS: 4 }); // each request requires a new token
  const { page } = await visit(url);
  await page.addInitScript(() => sessionStorage.setItem('inbox.person', 'usr-olga'));
  let isFailing = false;
  await page.route('**/sandbox/people', (route) => {
    if (!isFailing) return route.continue();
    return answer === null ? route.abort() : route.fulfill(answer);
  });
  const alert = page.getByRole('alert');
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Move…' }).click();
  await page.getByLabel('Action', { exact: true }).selectOption('SUSPEND');
  isFailing = true;
  await page.getByRole('button', { name: 'Suspend' }).click();
  await sendWaiting(page);
  await alert.waitFor();
  expect(await alert.innerText()).toContain('Nothing was sent');

  isFailing = false;
  await page.goto(`${url}/app/views/all`);
  await page.getByRole('checkbox').first().check();
  await page.getByLabel('Action').selectOption('Block');
  isFailing = true;
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await sendWaiting(page);
  await page.getByRole('row').getByText('Nothing was sent').waitFor();

  isFailing = false;
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Memo');
  isFailing = true;
  await page.getByRole('button', { name: 'Create draft' }).click();
  await alert.waitFor();
  expect(await alert.innerText()).toMatch(
    /^Your sign-in has expired\..* No document was created\./,
  );
});

const ok = { status: 200, contentType: 'application/json' };

it.each([
  { name: 'the HTML of a proxy', status: 500, contentType: 'text/html', body: '<h1>Error</h1>' },
  { name: 'half of an answer', ...ok, body: '{"data":' },
  { name: 'an answer without data', ...ok, body: '{"data":null}' },
  { name: 'an answer without a result', ...ok, body: '{"data":{"moveDocument":null}}' },
])(
  'says that the outcome of an action is unknown after $name',
  async ({ status, contentType, body }) => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON()?.operationName === 'Move'
        ? route.fulfill({ status, contentType, body })
        : route.continue(),
    );
    await page.goto(`${url}/app/documents/DOC-0191`);
    await page.getByRole('button', { name: 'Move…' }).click();
    await page.getByLabel('Action', { exact: true }).selectOption('SUSPEND');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await sendWaiting(page);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Check whether the change was made');
  },
);

it.each(['{"data":null}', '{"data":{"respondToDocument":null}}'])(
  'keeps the comment of a response that is answered with %s',
  async (body) => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON()?.operationName === 'Respond'
        ? route.fulfill({ ...ok, body })
        : route.continue(),
    );
    await page.goto(`${url}/app/documents/DOC-0191`);
    await page.getByRole('button', { name: 'With comment…' }).click();
    await page.getByLabel('Comment').fill('Checked.');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await sendWaiting(page);
    await page.getByRole('link', { name: 'Show the document' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Check whether the change was made').waitFor();
    expect(await alert.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(await page.getByLabel('Comment').inputValue()).toBe('Checked.');
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Approve: DOC-0191').first().waitFor();
  },
);

it.each([
  { path: 'views/inbox', operation: 'DocumentList', content: 'of 26 documents' },
  { path: 'documents/DOC-0191', operation: 'DocumentPage', content: '2,587.71' },
  { path: 'new', operation: 'CreatePage', content: 'Create draft' },
])('offers to read again what has no result: $operation', async ({ path, operation, content }) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  const isRead = (request: Request) => request.postDataJSON()?.operationName === operation;
  let body: string | null = '{"data":null}';
  await page.route('**/graphql', (route) =>
    body !== null && isRead(route.request()) ? route.fulfill({ ...ok, body }) : route.continue(),
  );
  await page.goto(`${url}/app/${path}`);
  const alert = page.getByRole('alert');
  await alert.getByText('The response of the gateway is incomplete.').waitFor();
  const retry = alert.getByRole('button', { name: 'Try again' });
  body = '{"data":{}}';
  const answered = page.waitForEvent('requestfinished', isRead);
  await retry.click();
  await answered;
  await alert.getByText('The response of the gateway is incomplete.').waitFor();
  body = null;
  await retry.click();
  await page.getByText(content).first().waitFor();
  expect(await alert.count()).toBe(0);
});

it.each([
  { name: 'without a result', ...ok, body: '{"data":null}' },
  { name: 'of a proxy', status: 500, contentType: 'text/html', body: '<h1>Error</h1>' },
])('ends the retries with an answer $name', async ({ status, contentType, body }) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  let isConnected = false;
  await page.route('**/graphql', (route) => {
    if (route.request().postDataJSON()?.operationName !== 'DocumentList') return route.continue();
    return isConnected ? route.fulfill({ status, contentType, body }) : route.abort();
  });
  await page.goto(`${url}/app/views/inbox`);
  const banner = page.getByRole('region', { name: 'Connection' });
  await banner.waitFor();
  isConnected = true;
  await banner.waitFor({ state: 'detached' });
  const alert = page.getByRole('alert');
  expect(await alert.innerText()).toContain('The documents cannot be shown.');
});
