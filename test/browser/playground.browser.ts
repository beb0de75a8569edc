import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import type { Request } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readExamples } from '../helpers/examples.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore, startGatewayOnSandbox } from '../helpers/gateway.ts';
import { findViolations } from './accessibility.ts';
import { dropFile, visit } from './browser.ts';
import {
  callsOf,
  editorOf,
  execute,
  openExample,
  openPlayground,
  ready,
  resultOf,
  tabsOf,
  type,
} from './playground.ts';
import { pollingEvery } from '../helpers/live-polls.ts';

describe('on a first visit', () => {
  it('runs the operation with Ctrl+Enter, and downloads a file of the result', async () => {
    const { page, browser, result, outside, complaints } = await openPlayground();
    expect(await page.title()).toBe('DMS gateway');
    await page.keyboard.press('Control+Enter');
    await result.getByText('"DOC-0191"').waitFor();

    await execute(
      page,
      'query Mine { document(id: "DOC-0191") { author { systemId } files { url } } }',
    );
    await result.getByText('"systemId"').waitFor();
    // A link of the response. Its tab closes when the download starts.
    const downloading = browser.waitForEvent('download');
    await page.keyboard.down('Control');
    await result.locator('.detected-link').first().hover();
    // The editor renders the link anew, as one to click.
    await result.locator('.detected-link-active').first().click();
    await page.keyboard.up('Control');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Rechnung RE-2026-0058.pdf');
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it(
    'says what to do, and nothing moves when the result and the REST calls appear',
    { tags: ['nightly'] },
    async () => {
      const { page, result, complaints } = await openPlayground();
      const start = page.getByRole('region', { name: 'The result appears here' });
      await start.getByText('run the operation').waitFor();
      expect(await callsOf(page).count()).toBe(0);
      await page.getByLabel('Signed in as').waitFor();
      await page.getByText('Cost: 1 to 6 REST calls').waitFor();
      await page.evaluate(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as Shift).value);
        }).observe({ type: 'layout-shift' });
      });
      await start.getByRole('button', { name: 'Run the first example' }).click();
      await result.getByText('"DOC-0191"').waitFor();
      await callsOf(page).getByText('/api/v2/docForm/view/inbox').waitFor();
      expect(await start.isVisible()).toBe(false);
      const shifts = await page.evaluate(
        () => (globalThis as unknown as { shifts: readonly number[] }).shifts,
      );
      expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.02);
      expect(complaints).toEqual([]);
    },
  );

  it('is painted before its scripts are loaded', { tags: ['nightly'] }, async () => {
    const { url } = await startGatewayOnSandbox();
    const { page } = await visit(url);
    const released = Promise.withResolvers<void>();
    onTestFinished(() => released.resolve());
    await page.route('**/*.js', async (route) => {
      await released.promise;
      await route.continue().catch(() => {});
    });
    await page.goto(`${url}/graphql`, { waitUntil: 'commit' });
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    );
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('DMS gateway');
    expect(await page.locator('.frame').count()).toBe(0);
  });

  it('runs what the user asks for before the editor is there', { tags: ['nightly'] }, async () => {
    const { url } = await startGatewayOnSandbox();
    const { page } = await visit(url);
    const released = Promise.withResolvers<void>();
    onTestFinished(() => released.resolve());
    await page.route('**/monaco-editor-*.js', async (route) => {
      await released.promise;
      await route.continue().catch(() => {});
    });
    await page.goto(`${url}/graphql`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    released.resolve();
    await resultOf(page).getByText('"DOC-0191"').waitFor();
    expect(await callsOf(page).count()).toBe(1);
  });

  it('works if the browser blocks its storage', { tags: ['nightly'] }, async () => {
    const { url } = await startGatewayOnSandbox();
    const { page, complaints } = await visit(url);
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          configurable: true,
          get: () => {
            throw new DOMException('No storage.', 'SecurityError');
          },
        });
      }
    });
    await page.goto(`${url}/graphql`);
    await page.getByRole('button', { name: 'Run the first example' }).click();
    await resultOf(page).getByText('"DOC-0191"').waitFor();
    expect(complaints).toEqual([]);
  });
});

/** An entry of the Layout Instability API. */
interface Shift {
  readonly value: number;
}

it('loads less than 20 kB on a second visit', { tags: ['nightly'] }, async () => {
  const { url } = await startGatewayOnSandbox();
  const proxy = await startCountingProxy(new URL(url).port);
  const { page, complaints } = await visit(proxy.url);
  const visitPage = async () => {
    const before = proxy.received();
    await page.goto(`${proxy.url}/graphql`);
    await page.getByLabel('Signed in as').waitFor();
    await page.getByText('Cost: 1 to 6 REST calls').waitFor();
    // The workers are loaded, and the schema is read. The editor answers a pointer only once: a move before it is ready has
    // no answer.
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0);
        await editorOf(page).getByText('totalCount').hover();
        return page
          .getByText('Number of')
          .first()
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      })
      .toBe(true);
    return proxy.received() - before;
  };
  expect(await visitPage()).toBeGreaterThan(1_000_000);
  expect(await visitPage()).toBeLessThan(20_000);
  expect(complaints).toEqual([]);
});

/** Forwards connections to a local port, and counts the bytes of the responses. */
async function startCountingProxy(port: string) {
  let received = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    upstream.on('data', (chunk) => (received += chunk.length));
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, received: () => received };
}

describe('a link with a query', { tags: ['nightly'] }, () => {
  it('opens it, without an offer to run the first example', async () => {
    const query = 'query Mine { viewer { runAs } }';
    const { page, result } = await openPlayground({
      search: `?query=${encodeURIComponent(query)}`,
    });
    await editorOf(page).getByText('query Mine').waitFor();
    await page.getByRole('region', { name: 'The result appears here' }).waitFor();
    expect(await page.getByRole('button', { name: /first example/ }).count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    await result.getByText('"viewer"').waitFor();
  });

  it.each([20_000, 500_000])('explains that one of %i bytes is too long', async (length) => {
    const { url } = await startGatewayOnSandbox();
    const { page } = await visit(url);
    const response = await page.goto(`${url}/graphql?query=${'x'.repeat(length)}`);
    expect(response?.status()).toBe(431);
    await page.getByText('paste it into an editor for GraphQL').waitFor();
  });

  it('keeps the tabs of an earlier visit', async () => {
    const { gateway, page } = await openPlayground();
    const url = `${gateway.url}/graphql`;
    // GraphiQL stores its tabs after a while.
    await page.waitForFunction(() => localStorage.getItem('graphiql:tabState') !== null);
    await page.reload();
    await editorOf(page).getByText('query Inbox').waitFor();
    expect(await tabsOf(page).allInnerTexts()).toEqual(['Inbox']);

    await page.goto(`${url}?query=${encodeURIComponent('query Mine { __typename }')}`);
    await editorOf(page).getByText('query Mine').waitFor();
    expect(await tabsOf(page).allInnerTexts()).toEqual(['Inbox', 'Mine']);
    await editorOf(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(' # more');
    await page.waitForFunction(() =>
      ['query', 'tabState'].every((key) =>
        localStorage.getItem(`graphiql:${key}`)?.includes('# more'),
      ),
    );
    await page.goto(url);
    await editorOf(page).getByText('# more').waitFor();
    await page.getByRole('button', { name: 'Close Inbox' }).click();
    expect(await tabsOf(page).allInnerTexts()).toEqual(['Mine']);
  });
});

describe('the panes', { tags: ['nightly'] }, () => {
  it('have the documentation of the schema', async () => {
    const { page, outside, complaints } = await openPlayground();
    await page.getByRole('button', { name: 'Documentation', exact: true }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByText('Entry points for reading.').waitFor();
    await page.getByRole('button', { name: 'Close Documentation' }).click();
    expect(await page.getByText('Entry points for reading.').count()).toBe(0);
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([1280, 360])(
    'stay open after a visit, if they do not cover the rest: %d',
    async (width) => {
      const { page } = await openPlayground({ width });
      await page.getByRole('button', { name: 'Documentation', exact: true }).click();
      const pane = page.getByRole('complementary', { name: 'Documentation' });
      await pane.waitFor();
      await page.reload();
      await ready(page);
      await expect.poll(() => pane.count()).toBe(width === 1280 ? 1 : 0);
    },
  );

  it('have the operations that were run', async () => {
    const { page, result } = await openPlayground();
    await type(page, 'query Mine { viewer { runAs } }');
    await page.keyboard.press('Control+Enter');
    await result.getByText('"viewer"').waitFor();
    await page.keyboard.press('Control+Enter');
    await openExample(page, 'Unit');
    await page.keyboard.press('Control+Enter');
    await callsOf(page).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'History', exact: true }).click();
    const history = page.getByRole('complementary', { name: 'History' });
    const past = () => history.getByRole('listitem').locator('.clip').allInnerTexts();
    await expect.poll(past).toEqual(['Unit', 'Mine']);
    await history.getByText('Mine').click();
    await editorOf(page).getByText('query Mine').waitFor();
    await history.getByRole('button', { name: 'Remove Unit' }).click();
    await expect.poll(past).toEqual(['Mine']);
    await history.getByRole('button', { name: 'Remove all' }).click();
    await history.getByText('Operations that you run appear here.').waitFor();
  });

  it('have the keys of the editor', async () => {
    const { page } = await openPlayground();
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    expect(await dialog.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await dialog.getByText('run the operation').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });
});

describe('the examples', { tags: ['nightly'] }, () => {
  it('are in groups, with marks for those that write, and can be searched', async () => {
    const { page } = await openPlayground();
    await page.getByRole('button', { name: 'Examples', exact: true }).click();
    const list = page.getByRole('listbox', { name: 'Examples' });
    const headings = list.locator('.example-group');
    const shown = () => list.getByRole('option').locator('strong').allInnerTexts();
    const groups = ['Read', 'Nested', 'Typed forms', 'Write', 'Live', 'Deferred'];
    await expect.poll(() => headings.allInnerTexts()).toEqual(groups);
    const examples = readExamples();
    await expect.poll(shown).toEqual(examples.map(({ name }) => name));
    const marked = list.getByRole('option', { name: /changes data/ });
    expect(await marked.count()).toBe(
      examples.filter(({ type: kind }) => kind === 'mutation').length,
    );

    await page.keyboard.type('defer recognized'); // the search has the focus
    await expect.poll(shown).toEqual(['Details']);
    expect(await headings.allInnerTexts()).toEqual(['Deferred']);
    await page.keyboard.type('x');
    await page.getByText('No example matches.').waitFor();
    await page.keyboard.press('Escape'); // empties the search
    await expect.poll(() => headings.count()).toBe(6);
    await page.keyboard.type('typed supplier');
    await expect.poll(shown).toEqual(['Invoices', 'CreateInvoice']);
  });

  it('are chosen with arrows and Enter, and run with Ctrl+Enter', async () => {
    const { page, result, outside, complaints } = await openPlayground();
    const [first, second] = readExamples();
    await page.getByRole('button', { name: 'Examples', exact: true }).focus();
    await page.keyboard.press('Enter');
    const selected = page.getByRole('option', { selected: true }).locator('strong');
    await expect.poll(() => selected.allInnerTexts()).toEqual([first!.name]);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => selected.allInnerTexts()).toEqual([readExamples().at(-1)!.name]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected.allInnerTexts()).toEqual([second!.name]);
    await page.keyboard.press('Enter');
    await tabsOf(page).filter({ hasText: second!.name }).waitFor();
    await page.keyboard.press('Control+Enter');
    await callsOf(page).waitFor();

    for (const [name, shown] of [
      ['Document', '"fullId"'],
      ['Suspend', '"MoveDocumentPayload"'],
    ] as const) {
      await openExample(page, name);
      await page.keyboard.press('Control+Enter');
      await result.getByText(shown).waitFor();
    }
    // All replaced a text that the user had not changed.
    expect(await tabsOf(page).allInnerTexts()).toEqual(['Suspend']);
    await callsOf(page).getByText('POST /api/v2/docForm/').waitFor();
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show neither the result nor the REST calls of the operation before', async () => {
    const { page, result } = await openPlayground();
    await page.keyboard.press('Control+Enter');
    await result.getByText('"DOC-0191"').waitFor();
    await callsOf(page).waitFor();
    await openExample(page, 'Unit');
    expect(await result.innerText()).not.toContain('DOC-0191');
    expect(await callsOf(page).count()).toBe(0);
    await page.getByRole('region', { name: 'The result appears here' }).waitFor();
  });

  it('open the variables if there are some', async () => {
    const { page } = await openPlayground();
    const toggle = page.getByRole('button', { name: 'Variables' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await openExample(page, 'Unit');
    await page.getByRole('textbox', { name: 'Variables' }).waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await openExample(page, 'Inbox');
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
  });

  it('keep what the user wrote', async () => {
    const { page, result } = await openPlayground();
    await execute(page, 'query Mine { viewer { runAs } }');
    await result.getByText('"viewer"').waitFor();
    await openExample(page, 'Unit');
    expect(await tabsOf(page).allInnerTexts()).toEqual(['Mine', 'Unit']);
    await tabsOf(page).filter({ hasText: 'Mine' }).click();
    await editorOf(page).getByText('query Mine').waitFor();
    await result.getByText('"viewer"').waitFor();
    await callsOf(page).waitFor();
  });
});

describe('the cost', { tags: ['nightly'] }, () => {
  it('is shown while the user writes, before the operation is run', async () => {
    const { page, gateway, complaints } = await openPlayground();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['x-cost-only'] === '1') asked.push(request.postData() ?? '');
    });
    await page.getByText('Cost: 1 to 6 REST calls').waitFor();
    const before = gateway.requests.length;
    await type(page, 'query Mine { documents(first: 5) { nodes { shortId } } }');
    await page.getByText('Cost: 1 REST call', { exact: true }).waitFor();
    asked.length = 0;
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < 'query Mine { documents(first: 5'.length; i += 1) {
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.type('00'); // one key after the other
    await page.getByText('Cost: 1 to 5 REST calls').waitFor();
    await page.keyboard.type('0');
    await page.locator('.cost').getByText('must be an integer from 1 to 500').waitFor();
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(gateway.requests.slice(before)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('depends on the variables', async () => {
    const { page } = await openPlayground();
    await type(page, 'query Mine($first: Int) { documents(first: $first) { nodes { shortId } } }');
    await page.getByText('Cost: 1 REST call', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.getByRole('textbox', { name: 'Variables' }).focus();
    await page.keyboard.insertText('{ "first": 300 }');
    await page.getByText('Cost: 1 to 3 REST calls').waitFor();
    expect(await page.locator('.cost').getAttribute('class')).toBe('cost');
  });

  it('is never that of another operation', async () => {
    const { page } = await openPlayground();
    const cost = page.locator('.cost');
    await cost.getByText('Cost: 1 to 6 REST calls').waitFor();
    const released = Promise.withResolvers<void>();
    onTestFinished(() => released.resolve());
    await page.route('**/graphql', async (route) => {
      await released.promise;
      await route.continue().catch(() => {});
    });
    await openExample(page, 'Unit');
    expect(await cost.innerText()).toBe('Cost: …');
    released.resolve();
    await cost.getByText(/^Cost: \d/).waitFor();
  });

  it('is not asked for a mutation, which only its user sends', async () => {
    const { page } = await openPlayground();
    await page.getByText('Cost: 1 to 6 REST calls').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(request.postData() ?? ''));
    await openExample(page, 'Suspend');
    await expect.poll(() => page.locator('.cost').innerText()).toBe('');
    expect(sent.filter((text) => text.includes('moveDocument'))).toEqual([]);
  });

  it('is not asked of a gateway that does not report it', async () => {
    const { page } = await openPlayground({ server: { introspection: false } });
    await page.keyboard.press('Control+Enter');
    await resultOf(page).getByText('"DOC-0191"').waitFor();
    expect(await page.locator('.cost').innerText()).toBe('');
  });
});

describe('the result', () => {
  it(
    'is a table with links to documents in the inbox, and to files',
    { tags: ['nightly'] },
    async () => {
      const { page, gateway, browser } = await openPlayground();
      await page.getByRole('button', { name: 'Run the first example' }).click();
      await page.getByRole('radio', { name: 'Table' }).check();
      const table = page.getByRole('table', { name: 'documents nodes: 5' });
      await table.waitFor();
      expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
        'shortId',
        'author fullName',
        'files',
      ]);
      const cells = table.getByRole('row', { name: /^DOC-0191/ }).getByRole('cell');
      expect(await cells.allInnerTexts()).toEqual([
        'DOC-0191',
        'Dina Petrivna Kovalenko',
        'Rechnung RE-2026-0058.pdf',
      ]);
      expect(await cells.nth(2).getByRole('link').getAttribute('href')).toMatch(
        /\/files\/documents\//,
      );
      const opening = browser.waitForEvent('page');
      await cells.nth(0).getByRole('link').click();
      const opened = await opening;
      await opened.getByRole('heading', { level: 1, name: /RE-2026-0058/ }).waitFor();
      expect(opened.url()).toBe(`${gateway.url}/app/documents/DOC-0191`);
    },
  );

  it(
    'has no table without a list, and no links without an inbox',
    { tags: ['nightly'] },
    async () => {
      const { sandbox } = await startGatewayOnSandbox();
      const credential = { kind: 'fixed' as const, authorization: sandbox.authorization };
      // For this gateway, the sandbox is a DMS as any other.
      const { url } = await startGatewayBefore(sandbox.url, { server: { credential } });
      const { page } = await visit(url);
      await page.goto(`${url}/graphql`);
      await ready(page);
      const result = resultOf(page);
      await execute(page, 'query Mine { viewer { runAs } }');
      await result.getByText('"viewer"').waitFor();
      expect(await page.getByRole('radio', { name: 'Table' }).count()).toBe(0);
      await execute(page, 'query List { documents(first: 2) { nodes { shortId } } }');
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('cell', { name: /^DOC-/ }).first().waitFor();
      expect(await page.getByRole('table').first().getByRole('link').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Inbox' }).count()).toBe(0);
    },
  );

  it(
    'disappears with its REST calls when the next operation fails',
    { tags: ['nightly'] },
    async () => {
      const { gateway, page, result } = await openPlayground();
      await page.keyboard.press('Control+Enter');
      await callsOf(page).waitFor();
      await execute(page, 'query Broken { documents(view: ) }');
      const message = result.getByRole('alert');
      await message.getByText('Syntax Error: Unexpected ")".').waitFor();
      expect(await result.locator('.view-lines').innerText()).not.toContain('DOC-');
      expect(await callsOf(page).count()).toBe(0);
      await execute(page, 'query Mine { viewer { runAs } }');
      await result.getByText('"runAs"').waitFor();
      expect(await message.innerText()).toBe('');
      await gateway.close();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await message
        .getByText('The gateway cannot be reached. Check that it is running, then try again.')
        .waitFor();
      expect(await callsOf(page).count()).toBe(0);
    },
  );

  it('shows deferred fields when they arrive', async () => {
    const text = Promise.withResolvers<void>();
    const dms = await startFailingDms((request, response) => {
      if (request.url?.includes('/text') !== true) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ _id: 'd'.repeat(24), _id_web: 'DOC-1' }));
        return;
      }
      void text.promise.then(() => response.end('The text of the document.'));
    });
    onTestFinished(() => dms[Symbol.asyncDispose]());
    const { url } = await startGatewayBefore(dms.url);
    const { page, outside, complaints } = await visit(url);
    await page.goto(`${url}/graphql`);
    await ready(page);
    await execute(
      page,
      'query Parts { document(id: "DOC-1") { shortId ... @defer { recognizedText { text } } } }',
    );
    const result = resultOf(page);
    await result.getByText('"DOC-1"').waitFor();
    expect(await result.getByText('recognizedText').count()).toBe(0);
    text.resolve();
    await result.getByText('The text of the document.').waitFor();
    await page.getByRole('button', { name: /^REST calls: 2, / }).waitFor();
    expect(outside).toEqual([]);
    // GraphiQL aborts the request after the last part.
    const other = complaints.filter((one) => one !== `request failed: ${url}/graphql`);
    expect(other).toEqual([]);
  });

  it('shows the events of a subscription when they arrive, until it is stopped', async () => {
    const { page, gateway, result, outside, complaints } = await openPlayground({
      server: pollingEvery(60_000),
    });
    await execute(
      page,
      'subscription Watch { documentChanged(id: "DOC-0191") { shortId state meta { revision } } }',
    );
    await result.getByText('"DOC-0191"').waitFor();
    const before = await result.innerText();
    await page.getByRole('button', { name: /^REST calls: 1, / }).waitFor();
    await gateway.query(
      'mutation { moveDocument(input: { document: "DOC-0191", action: SUSPEND }) { __typename } }',
    );
    await expect.poll(() => result.innerText(), { timeout: 10_000 }).not.toBe(before);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is shown in its tab, and no event in another one', { tags: ['nightly'] }, async () => {
    const { page, result } = await openPlayground({ server: pollingEvery(60_000) });
    const sent = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON()?.operationName === 'Slow') {
        sent.resolve();
        await released.promise;
      }
      await route.continue();
    });
    const isSlow = (one: { request(): Request }) =>
      one.request().postDataJSON()?.operationName === 'Slow';
    const responding = page.waitForResponse(isSlow);
    await execute(page, 'query Slow { document(id: "DOC-0191") { shortId } }');
    await sent.promise;
    await page.getByRole('button', { name: 'New tab' }).click();
    released.resolve();
    await (await responding).finished();
    const start = page.getByRole('region', { name: 'The result appears here' });
    await start.waitFor();
    await tabsOf(page).filter({ hasText: 'Slow' }).click();
    await result.getByText('"DOC-0191"').waitFor();
    await execute(page, 'subscription Watch { documentChanged(id: "DOC-0058") { shortId } }');
    await result.getByText('"DOC-0058"').waitFor();
    const stopped = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'New tab' }).click();
    await stopped;
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await start.waitFor();
    expect(await result.getByText('"DOC-0058"').count()).toBe(0);
  });
});

describe('the REST calls', { tags: ['nightly'] }, () => {
  it('are compared with those of a page without the gateway, at the latency that one chooses', async () => {
    const { page, gateway, complaints } = await openPlayground();
    const before = gateway.requests.length;
    await page.getByRole('button', { name: 'Run the first example' }).click();
    const cost = callsOf(page).getByRole('region', { name: 'Cost of this screen' });
    const rowOf = (name: string) => cost.getByRole('row', { name: new RegExp(`^${name} `) });
    const shown = async () => [
      await rowOf('With the gateway').getByRole('cell').allInnerTexts(),
      await rowOf('Without it').getByRole('cell').allInnerTexts(),
    ];
    const latency = cost.getByRole('group', { name: 'Network latency' });
    for (const ms of [20, 80, 200]) {
      await latency.getByRole('radio', { name: `${ms} ms`, exact: true }).check({ force: true });
      const calls = gateway.requests.length - before;
      expect(await shown()).toEqual([
        ['1 query', '1 round', `${ms} ms`],
        [`${calls} REST calls`, '2 rounds', `${2 * ms} ms`],
      ]);
    }
    for (const width of [1280, 600, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const [one, two] = await cost
        .locator('.rest-calls-bar')
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
      expect(two! / one!).toBeCloseTo(2, 1);
    }
    expect(complaints).toEqual([]);
  });
});

describe('requests', () => {
  it('are those of the chosen person, also after a restart', async () => {
    const { page, result, outside } = await openPlayground();
    const people = page.getByLabel('Signed in as');
    await people.selectOption({ label: 'Jonas Berg · Sales' });
    await execute(page, 'query Mine { viewer { runAs } documents(view: INBOX) { totalCount } }');
    await result.getByText('"usr-jonas"').waitFor();
    await page.getByRole('button', { name: /^REST calls: .*, as Jonas Berg$/ }).waitFor();

    // Tokens of an earlier start are replaced after a 401.
    const rejected = { status: 401, json: { errors: [{ message: 'expired' }] } };
    await page.route('**/graphql', (route) => route.fulfill(rejected), { times: 1 });
    const [renewed] = await Promise.all([
      page.waitForResponse('**/sandbox/people'),
      page.getByRole('button', { name: 'Run', exact: true }).click(),
    ]);
    expect(renewed.status()).toBe(200);
    await result.getByText('"usr-jonas"').waitFor();

    await people.selectOption({ label: 'Service account' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result.getByText('"totalCount": 26').waitFor();
    expect(outside).toEqual([]);
  });

  it(
    'have the headers that the user writes, which read the schema too',
    { tags: ['nightly'] },
    async () => {
      const { gateway, page, result } = await openPlayground();
      const { people } = (await (await gateway.fetch('/sandbox/people')).json()) as {
        people: { systemId: string; token: string }[];
      };
      const { token } = people.find(({ systemId }) => systemId === 'usr-jonas')!;
      await page.getByRole('button', { name: 'Headers' }).click();
      await page.getByRole('textbox', { name: 'Headers' }).focus();
      await page.keyboard.insertText(`{ "authorization": "Bearer ${token}" }`);
      await execute(page, 'query Mine { viewer { runAs } }');
      await result.getByText('"usr-jonas"').waitFor();
      expect(await callsOf(page).count()).toBe(1);
    },
  );

  it('explain PERSISTED_ONLY', { tags: ['nightly'] }, async () => {
    const server = { introspection: true, persistedOnly: true };
    const { page, result, outside, complaints } = await openPlayground({ server });
    await editorOf(page).getByText('only persisted documents').waitFor();
    expect(await page.getByRole('button', { name: 'Examples', exact: true }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'The result appears here' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await execute(page, '{ viewer { runAs } }');
    await result.getByRole('alert').getByText('executes only persisted documents').waitFor();
    expect(outside).toEqual([]);
  });

  it(
    'are the only ones, in front of a DMS without calls to show',
    { tags: ['nightly'] },
    async () => {
      const dms = await startFailingDms((_request, response) => response.end('{}'));
      onTestFinished(() => dms[Symbol.asyncDispose]());
      const { url } = await startGatewayBefore(dms.url, {
        server: { upstreamTrace: false },
      });
      const { page, outside, complaints } = await visit(url);
      await page.goto(`${url}/graphql`);
      await ready(page);
      await execute(page, 'query Mine { viewer { runAs } }');
      await resultOf(page).getByText('"viewer"').waitFor();
      expect(await page.getByLabel('Signed in as').count()).toBe(0);
      expect(await callsOf(page).count()).toBe(0);
      expect(outside).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

describe('the page', { tags: ['nightly'] }, () => {
  it('links to the inbox if there is one', async () => {
    const { page } = await openPlayground();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.waitForURL(/\/app\//);
    expect(await page.title()).toContain('Inbox');
  });

  it('is not replaced by a file that is dropped', async () => {
    const { page } = await openPlayground();
    expect(await dropFile(page)).toEqual([true, true]);
  });

  it('follows the colors of the system', async () => {
    const { page } = await openPlayground();
    const editor = editorOf(page).locator('.monaco-editor').first();
    for (const [colorScheme, theme] of [
      ['dark', /\bvs-dark\b/],
      ['light', /\bvs\b(?!-)/],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => editor.getAttribute('class')).toMatch(theme);
    }
  });

  it('has the controls, the brand and the people of the inbox', async () => {
    const { page } = await openPlayground();
    await page.getByLabel('Signed in as').waitFor();
    await page.getByRole('button', { name: 'Headers' }).click();
    const controls = page.locator('select, input[type="checkbox"]');
    await expect.poll(() => controls.count()).toBe(2);
    const looks = await controls.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).appearance),
    );
    expect(looks).toEqual(['none', 'none']);
    expect(await findViolations(page)).toEqual([]);
    const head = async () => {
      const people = page.getByLabel('Signed in as');
      const brand = page.locator('.brand');
      const { x, width, height } = (await brand.boundingBox())!;
      const names = await people.locator('option').allInnerTexts();
      const header = await page.locator('.header').boundingBox();
      return { name: await brand.innerText(), x, width, height, names, header };
    };
    const own = await head();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('of 26 documents').first().waitFor();
    expect(await head()).toEqual(own);
  });

  it('lets the keyboard change the width of its parts', async () => {
    const { page } = await openPlayground();
    const line = page.getByRole('separator', { name: 'Width of the operation' });
    const widthOf = async () => (await editorOf(page).boundingBox())!.width;
    const before = await widthOf();
    await line.press('ArrowRight');
    await expect.poll(widthOf).toBeGreaterThan(before);
    await page.reload();
    await expect.poll(() => line.getAttribute('aria-valuenow')).toBe('52');
  });

  it('shows the durations of calls in forced colors', async () => {
    const { page } = await openPlayground();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.keyboard.press('Control+Enter');
    const bar = callsOf(page).locator('.rest-calls-table .rest-calls-bar').first();
    await bar.waitFor();
    const colors = await bar.evaluate((element) =>
      [document.body, element].map((each) => getComputedStyle(each).backgroundColor),
    );
    expect(colors[1]).not.toBe(colors[0]);
  });

  it.each([600, 360])('works for fingers at a width of %d pixels', async (width) => {
    const { page, result } = await openPlayground({ width });
    await openExample(page, 'Inbox');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result.getByText('"totalCount"').waitFor();
    await callsOf(page).getByText('/api/v2/docForm/view/inbox').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const small = await page
      .locator('button, select, a.button, .segments label, input[type="search"]')
      .evaluateAll((targets) =>
        targets
          .filter((target) => target.checkVisibility() && target.closest('.monaco-editor') === null)
          .map((target) => ({
            html: target.outerHTML.slice(0, 80),
            ...target.getBoundingClientRect().toJSON(),
          }))
          .filter(({ height, width: wide }) => height < 44 || wide < 44),
      );
    expect(small).toEqual([]);
    const calls = page.getByRole('group', { name: /^REST calls: / });
    expect(await calls.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

    // Of 40 characters, none is cut.
    await type(page, `#${'x'.repeat(39)}`);
    await page.keyboard.press('Home');
    const [text, cut] = await editorOf(page).evaluate((element) => {
      const line = element.querySelector('.view-line span span')!.getBoundingClientRect();
      const slider = element.querySelector('.scrollbar.vertical')!.getBoundingClientRect();
      return [line.right, slider.left];
    });
    expect(text).toBeLessThanOrEqual(cut);
  });

  it.each([1280, 600, 360])('has no accessibility violations at %d pixels', async (width) => {
    const { page, result } = await openPlayground({ width });
    await page.getByText('Cost: 1 to 6 REST calls').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run the first example' }).click();
    await result.getByText('"totalCount"').waitFor();
    await callsOf(page).getByText('/api/v2/docForm/view/inbox').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('cell', { name: 'DOC-0191' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    for (const pane of ['Documentation', 'Examples', 'History']) {
      await page.getByRole('button', { name: pane, exact: true }).click();
      await page.getByRole('heading', { name: pane, exact: true }).waitFor();
      expect([pane, await findViolations(page)]).toEqual([pane, []]);
      await page.getByRole('button', { name: `Close ${pane}` }).click();
    }
    await page.getByRole('button', { name: 'Headers' }).click();
    await execute(page, 'query Broken {');
    await page.getByRole('alert').getByText('Syntax Error').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await execute(page, 'query Mine { documents(first: 2) { nodes { shortId } } } # dark');
    await callsOf(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
