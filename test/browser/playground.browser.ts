import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import axe from 'axe-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readExamples } from '../../src/server/graphql/playground/index.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore, startGatewayOnSandbox } from '../helpers/gateway.ts';
import { writeManifest } from '../helpers/persisted-documents.ts';
import { visit } from './browser.ts';

it('shows the playground, runs queries and downloads a file', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const { browser, page, outside, complaints } = await visit(url);
  const editor = page.locator('.graphiql-query-editor');
  const answer = page.locator('.graphiql-response');

  await page.goto(`${url}/graphql`);
  expect(await page.title()).toBe('DMS gateway');

  // The default query.
  await editor.click();
  await page.keyboard.press('Control+Enter');
  await answer.getByText('"DOC-0191"').waitFor();

  // A query of the user.
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(
    'query Mine { document(id: "DOC-0191") { state files { id name url } author { systemId } } }',
  );
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete'); // remove the brackets that the editor has inserted
  await page.locator('.graphiql-tab', { hasText: 'Mine' }).waitFor(); // the editor has parsed the query
  await clickExecute(page);
  await answer.getByText('"systemId"').waitFor();

  // A link of the response. Its tab closes when the download starts.
  const downloading = browser.waitForEvent('download');
  await page.keyboard.down('Control');
  await answer.locator('.detected-link').first().hover();
  // The editor renders the link anew, as one to click.
  await answer.locator('.detected-link-active').first().click();
  await page.keyboard.up('Control');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Rechnung RE-2026-0058.pdf');
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');

  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
});

it('loads less than 20 kB on a second visit', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const proxy = await startCountingProxy(new URL(url).port);
  const { page, complaints } = await visit(proxy.url);
  const visitPage = async () => {
    const before = proxy.received();
    await page.goto(`${proxy.url}/graphql`);
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await page.getByLabel('Acting as').waitFor();
    // The workers are loaded, and the schema is read. The editor answers a pointer only once: a move before it is ready has
    // no answer.
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0);
        await page.locator('.graphiql-query-editor').getByText('totalCount').hover();
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

it('is painted before its library is loaded', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const { page } = await visit(url);
  const library = Promise.withResolvers<void>();
  onTestFinished(() => library.resolve());
  await page.route('**/graphiql-*.js', async (route) => {
    await library.promise;
    await route.continue().catch(() => {});
  });
  await page.goto(`${url}/graphql`, { waitUntil: 'commit' });
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  );
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('DMS gateway');
  expect(await page.locator('.graphiql-container').count()).toBe(0);
});

it.each([20_000, 500_000])('explains that a link of %i bytes is too long', async (length) => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const { page } = await visit(url);
  const response = await page.goto(`${url}/graphql?query=${'x'.repeat(length)}`);
  expect(response?.status()).toBe(431);
  await page.getByText('paste it into the playground').waitFor();
});

it('works if the browser blocks its storage', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
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
  await page.locator('.graphiql-query-editor').click();
  await page.keyboard.press('Control+Enter');
  await page.locator('.graphiql-response').getByText('"DOC-0191"').waitFor();
  expect(complaints).toEqual([]);
});

it('shows the same query after the page is loaded again', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const { page } = await visit(url);
  const tabs = page.locator('.graphiql-tab');
  const shows = (text: string) =>
    page.locator('.graphiql-query-editor .view-lines', { hasText: text }).waitFor();
  await page.goto(`${url}/graphql`);
  await shows('query Inbox');
  // GraphiQL stores its tabs after a while.
  await page.waitForFunction(() => localStorage.getItem('graphiql:tabState') !== null);
  await page.reload();
  await shows('query Inbox');
  expect(await tabs.allInnerTexts()).toEqual(['Inbox']);

  await page.goto(`${url}/graphql?query=${encodeURIComponent('query Mine { __typename }')}`);
  await shows('query Mine');
  expect(await tabs.allInnerTexts()).toEqual(['Inbox', 'Mine']);
  await page.locator('.graphiql-query-editor').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' # more');
  await page.waitForFunction(() => localStorage.getItem('graphiql:query')?.includes('# more'));
  await page.goto(`${url}/graphql`);
  await shows('# more');
});

it('shows the documentation of the schema', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/graphql`);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await page.getByText('Entry points for reading.').waitFor();
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
});

/** Waits until the editors are ready. */
async function openPlayground(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/graphql`);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
}

describe('before the first run', () => {
  it('says what to do, and nothing moves when the result and the REST calls appear', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page, complaints } = await visit(url);
    await openPlayground(page, url);
    const start = page.getByRole('region', { name: 'The result appears here' });
    await start.getByText('run the operation').waitFor();
    expect(await page.locator('#rest-calls').isVisible()).toBe(false);
    await page.getByLabel('Acting as').waitFor();
    await page.evaluate(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as Shift).value);
      }).observe({ type: 'layout-shift' });
    });
    await start.getByRole('button', { name: 'Run the first example' }).click();
    await page.locator('.graphiql-response').getByText('"DOC-0191"').waitFor();
    await page.locator('#rest-calls tbody tr').first().waitFor();
    expect(await start.isVisible()).toBe(false);
    const shifts = await page.evaluate(
      () => (globalThis as unknown as { shifts: readonly number[] }).shifts,
    );
    expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.02);
    expect(complaints).toEqual([]);
  });

  it('shows the variables only if there are some', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(url);
    await openPlayground(page, url);
    const toggle = page.locator('.graphiql-toggle-editor-tools');
    expect(await toggle.getAttribute('aria-label')).toBe('Show editor tools');
    await openExample(page, 'Unit');
    await page.getByRole('button', { name: 'Hide editor tools' }).waitFor();
    await openExample(page, 'Inbox');
    await page.getByRole('button', { name: 'Show editor tools' }).waitFor();
  });

  it('links to the front end of the gateway if there is one', async () => {
    const directory = fileURLToPath(new URL('../../examples/inbox/dist', import.meta.url));
    const { url } = await startGatewayOnSandbox({
      server: { playground: true, frontEnd: { directory } },
    });
    const { page } = await visit(url);
    await openPlayground(page, url);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.waitForURL(/\/app\//);
    const other = await startGatewayOnSandbox({ server: { playground: true } });
    await openPlayground(page, other.url);
    expect(await page.getByRole('link', { name: 'Inbox' }).isVisible()).toBe(false);
  });
});

/** An entry of the Layout Instability API. */
interface Shift {
  readonly value: number;
}

/** Opens an example from the menu. */
async function openExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
}

it('follows the colors of the system', async () => {
  const { url } = await startGatewayOnSandbox({ server: { playground: true } });
  const { page } = await visit(url);
  await openPlayground(page, url);
  const editor = page.locator('.graphiql-query-editor .monaco-editor').first();
  for (const [colorScheme, theme] of [
    ['dark', /\bvs-dark\b/],
    ['light', /\bvs\b(?!-)/],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => editor.getAttribute('class')).toMatch(theme);
  }
});

describe('the toolbar', () => {
  it('groups the examples, marks those that write, and searches them', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(url);
    await openPlayground(page, url);
    await page.getByRole('button', { name: 'Examples' }).click();
    const menu = page.getByRole('navigation', { name: 'Examples' });
    const headings = menu.getByRole('heading');
    expect(await headings.allInnerTexts()).toEqual([
      'Read',
      'Nested',
      'Typed forms',
      'Write',
      'Live',
      'Deferred',
    ]);
    const examples = await readExamples();
    const marked = menu.getByRole('button', { name: /changes data/ });
    expect(await marked.count()).toBe(examples.filter(({ type }) => type === 'mutation').length);

    await page.keyboard.type('defer recognized'); // the search has the focus
    await expect
      .poll(() => menu.getByRole('button').locator('strong').allInnerTexts())
      .toEqual(['Details']);
    expect(await headings.allInnerTexts()).toEqual(['Deferred']);
    await page.keyboard.type('x');
    await menu.getByText('No example matches.').waitFor();
    await page.keyboard.press('Escape'); // empties the search
    await expect.poll(() => headings.count()).toBe(6);
    await page.keyboard.type('typed supplier');
    await expect
      .poll(() => menu.getByRole('button').locator('strong').allInnerTexts())
      .toEqual(['Invoices', 'CreateInvoice']);
  });

  it('opens the examples with their variables, and shows the REST calls of each', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page, outside, complaints } = await visit(url);
    await openPlayground(page, url);
    const names = (await readExamples()).map(({ name }) => name);
    await page.getByRole('button', { name: 'Examples' }).click();
    const menu = page.getByRole('navigation', { name: 'Examples' });
    expect(await menu.locator('strong').allInnerTexts()).toEqual(names);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });

    for (const [name, shown] of [
      ['Document', '"fullId"'],
      ['Suspend', '"MoveDocumentPayload"'],
    ] as const) {
      // By keyboard alone.
      await page.getByRole('button', { name: 'Examples' }).focus();
      await page.keyboard.press('Enter');
      await menu.getByRole('button', { name: new RegExp(`^${name} `) }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText(`${name} is open.`).waitFor();
      await page.locator('.graphiql-tab', { hasText: name }).waitFor();
      await clickExecute(page);
      await page.locator('.graphiql-response').getByText(shown).waitFor();
    }
    // Both replaced a text that the user had not changed.
    expect(await page.locator('.graphiql-tab').count()).toBe(1);
    const calls = page.getByRole('region', {
      name: /^REST calls: \d+, .* ms, as the service account/,
    });
    await calls.first().waitFor();
    expect(await calls.first().getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringMatching(
        /^POST \/api\/v2\/docForm\/\{id\}\/docResponse\s.*200\s[\d.]+ ms\s[\d.]+ ms/s,
      ),
    );
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('keeps what the user wrote when an example opens', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(url);
    await openPlayground(page, url);
    await execute(page, 'query Mine { viewer { runAs } }');
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('button', { name: /^Unit / }).click();
    await page.locator('.graphiql-tab', { hasText: 'Unit' }).waitFor();
    const titles = await page.locator('.graphiql-tab').allInnerTexts();
    expect(titles.map((title) => title.trim())).toEqual(['Mine', 'Unit']);
  });

  it('shows what the chosen person sees, also after a restart', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page, outside } = await visit(url);
    await openPlayground(page, url);
    const answer = page.locator('.graphiql-response');
    const people = page.getByLabel('Acting as');
    await people.selectOption({ label: 'Jonas Berg, Sales' });
    const inbox = 'query Mine { viewer { runAs } documents(view: INBOX) { totalCount } }';
    await execute(page, inbox);
    await answer.getByText('"usr-jonas"').waitFor();
    await page.getByRole('button', { name: /^REST calls: .*, as Jonas Berg$/ }).waitFor();

    // Tokens of an earlier start are replaced after a 401.
    const rejected = { status: 401, json: { errors: [{ message: 'expired' }] } };
    await page.route('**/graphql', (route) => route.fulfill(rejected), { times: 1 });
    const [renewed] = await Promise.all([
      page.waitForResponse('**/sandbox/people'),
      clickExecute(page),
    ]);
    expect(renewed.status()).toBe(200);
    await answer.getByText('"usr-jonas"').waitFor();

    await people.selectOption({ label: 'the service account' });
    await clickExecute(page);
    await answer.getByText('"totalCount": 26').waitFor();
    expect(outside).toEqual([]);
  });

  it('explains a query that cannot be parsed, and a gateway that cannot be reached', async () => {
    const gateway = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(gateway.url);
    await openPlayground(page, gateway.url);
    await type(page, 'query Broken { documents(view: ) }');
    await clickExecute(page);
    const message = page.getByRole('alert').filter({ hasText: 'cannot be' });
    await message.waitFor();
    expect(await message.innerText()).toBe(
      'The query cannot be parsed at line 1, column 32: Unexpected ")".',
    );
    expect(await page.locator('.graphiql-response .view-lines').innerText()).toBe('');
    await execute(page, 'query Mine { viewer { runAs } }');
    await page.locator('.graphiql-response').getByText('"runAs"').waitFor();
    expect(await message.isVisible()).toBe(false);
    await gateway.close();
    await clickExecute(page);
    await message.waitFor();
    expect(await message.innerText()).toBe(
      'The gateway cannot be reached. Check that it is running, then try again.',
    );
  });

  it.each([600, 360])('works at a width of %d pixels', async (width) => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(url);
    await page.setViewportSize({ width, height: 800 });
    await openPlayground(page, url);
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('button', { name: /^Inbox / }).click();
    await clickExecute(page);
    await page.locator('.graphiql-response').getByText('"totalCount"').waitFor();
    await page.locator('#rest-calls tbody tr').first().waitFor();
    const [scrollWidth, query, result] = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      return [
        document.documentElement.scrollWidth,
        box('.graphiql-query-editor'),
        box('.graphiql-response'),
      ] as const;
    });
    expect(scrollWidth).toBe(width);
    expect(query.width).toBeGreaterThan(width / 2);
    expect(result.width).toBeGreaterThan(width / 2);
    expect(result.height).toBeGreaterThan(200);
    // GraphiQL decides about its own.
    const small = await page
      .locator('.toolbar > button, .toolbar select, .links a, #rest-calls h2 button')
      .evaluateAll((targets) =>
        targets.map((target) => target.clientHeight).filter((px) => px > 0 && px < 42),
      );
    expect(small).toEqual([]);
    const ends = await page
      .locator('#rest-calls tbody tr td:nth-child(4)')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right));
    expect(ends.length).toBeGreaterThan(1);
    if (width === 600) expect(new Set(ends).size).toBe(1);
    const calls = page.getByRole('group', { name: /^REST calls: / });
    expect(await calls.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  it('shows the durations of calls in forced colors', async () => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(url);
    await page.emulateMedia({ forcedColors: 'active' });
    await openPlayground(page, url);
    await clickExecute(page);
    const bar = page.locator('#rest-calls .bar div').first();
    await bar.waitFor();
    const colors = await bar.evaluate((element) =>
      [document.body, element].map((each) => getComputedStyle(each).backgroundColor),
    );
    expect(colors[1]).not.toBe(colors[0]);
  });

  it('hides what this gateway does not have', async () => {
    const dms = await startFailingDms((_request, response) => response.end('{}'));
    onTestFinished(() => dms[Symbol.asyncDispose]());
    const { url } = await startGatewayBefore(dms.url, {
      server: { playground: true, upstreamTrace: false },
    });
    const { page, outside, complaints } = await visit(url);
    await openPlayground(page, url);
    await page.getByRole('button', { name: 'Examples' }).waitFor();
    expect(await page.getByLabel('Acting as').isVisible()).toBe(false);
    expect(await page.locator('#rest-calls').isVisible()).toBe(false);
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([1280, 600, 360])('has no accessibility violations at %d pixels', async (width) => {
    const { url } = await startGatewayOnSandbox({ server: { playground: true } });
    const { page } = await visit(url);
    await page.setViewportSize({ width, height: 800 });
    await openPlayground(page, url);
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('button', { name: /^Inbox / }).click();
    await clickExecute(page);
    await page.locator('#rest-calls tbody tr').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await type(page, 'query Broken {');
    await clickExecute(page);
    await page.getByRole('alert').filter({ hasText: 'cannot be parsed' }).waitFor();
    await page.getByRole('button', { name: 'Examples' }).click();
    expect(await violationsOf(page)).toEqual([]);
  });
});

/** Rules of axe that GraphiQL itself violates. They are checked outside of it. */
const graphiqlViolations = [
  'color-contrast', // some colors of its editors
  'nested-interactive', // a tab contains the button that closes it
];

/** The violations of the page: rule and element. Those within GraphiQL that are known are left out. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source); // not a script element, which the content security policy forbids
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => {
        const selector = target.join(' ');
        return {
          id,
          selector,
          isGraphiql: document.querySelector(selector)?.closest('#root') != null,
        };
      }),
    );
  });
  return found
    .filter(({ id, isGraphiql }) => !isGraphiql || !graphiqlViolations.includes(id))
    .map(({ id, selector }) => `${id}: ${selector}`);
}

/** Executes the query. The same button stops a query that is running. */
async function clickExecute(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Execute query/ }).click();
}

/** Replaces the query in the editor. */
async function type(page: Page, query: string): Promise<void> {
  await page.locator('.graphiql-query-editor').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(query);
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete'); // remove the brackets that the editor has inserted
}

/** Replaces the query in the editor, and executes it. */
async function execute(page: Page, query: string): Promise<void> {
  await type(page, query);
  const [, name = ''] = /^\w+ (\w+)/.exec(query)!;
  await page.locator('.graphiql-tab', { hasText: name }).waitFor(); // the editor has parsed the query
  await clickExecute(page);
}

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
  const { url } = await startGatewayBefore(dms.url, { server: { playground: true } });
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/graphql`);
  await execute(
    page,
    'query Parts { document(id: "DOC-1") { shortId ... @defer { recognizedText { text } } } }',
  );
  const answer = page.locator('.graphiql-response');
  await answer.getByText('"DOC-1"').waitFor();
  expect(await answer.getByText('recognizedText').count()).toBe(0);
  text.resolve();
  await answer.getByText('The text of the document.').waitFor();
  await page.getByRole('button', { name: /^REST calls: 2, / }).waitFor();
  expect(outside).toEqual([]);
  // GraphiQL aborts the request after the last part.
  const other = complaints.filter((one) => one !== `request failed: ${url}/graphql`);
  expect(other).toEqual([]);
});

it('shows the events of a subscription when they arrive', async () => {
  const { url, query } = await startGatewayOnSandbox({
    server: { playground: true, livePollMs: 60_000 },
  });
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/graphql`);
  await execute(
    page,
    'subscription Watch { documentChanged(id: "DOC-0191") { shortId state meta { revision } } }',
  );
  const answer = page.locator('.graphiql-response');
  await answer.getByText('"DOC-0191"').waitFor();
  const before = await answer.innerText();
  await page.getByRole('button', { name: /^REST calls: 1, / }).waitFor();
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: SUSPEND }) { __typename } }',
  );
  await expect.poll(() => answer.innerText(), { timeout: 10_000 }).not.toBe(before);
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
});

it('explains PERSISTED_ONLY', async () => {
  const persistedDocuments = writeManifest({ me: '{ viewer { runAs } }' });
  const { url } = await startGatewayOnSandbox({
    server: { playground: true, persistedDocuments, persistedOnly: true },
  });
  const { page, outside } = await visit(url);
  await page.goto(`${url}/graphql`);
  const editor = page.locator('.graphiql-query-editor');
  await editor.getByText('only persisted documents').waitFor();
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{ viewer { runAs } }');
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete'); // the brackets that the editor has closed by itself
  await clickExecute(page);
  const answer = page.locator('.graphiql-response');
  await answer.getByText('executes only persisted documents').waitFor();
  expect(outside).toEqual([]);
});
