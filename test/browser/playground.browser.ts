import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';
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
