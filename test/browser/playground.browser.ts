import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
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
  await page.locator('.graphiql-execute-button').click();
  await answer.getByText('"systemId"').waitFor();

  // A link of the response. Its tab closes when the download starts.
  const downloading = browser.waitForEvent('download');
  const link = answer.locator('.detected-link').first();
  await link.click({ modifiers: ['Control'] });
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Rechnung RE-2026-0058.pdf');
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');

  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
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

/** Replaces the query in the editor, and executes it. */
async function execute(page: Page, query: string): Promise<void> {
  await page.locator('.graphiql-query-editor').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(query);
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete'); // remove the brackets that the editor has inserted
  const [, name = ''] = /^\w+ (\w+)/.exec(query)!;
  await page.locator('.graphiql-tab', { hasText: name }).waitFor(); // the editor has parsed the query
  await page.locator('.graphiql-execute-button').click();
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
  await page.locator('.graphiql-execute-button').click();
  const answer = page.locator('.graphiql-response');
  await answer.getByText('executes only persisted documents').waitFor();
  expect(outside).toEqual([]);
});
