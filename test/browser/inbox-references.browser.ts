/** @module-tag nightly */
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { startInbox } from './inbox.ts';

/** Lets 22 more documents refer to DOC-0200. Returns how many refer to it then. */
async function addReferences(query: Awaited<ReturnType<typeof startInbox>>['query']) {
  const { data } = await query('{ document(id: "DOC-0200") { fullId refByDocs { totalCount } } }');
  const { fullId, refByDocs } = data.document;
  const values = [{ tag: 'refdocs', text: fullId }];
  for (let i = 0; i < 22; i++) {
    const created = await query(
      'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { __typename } }',
      { input: { form: 'memo', values: [{ tag: 'subject', text: `Memo ${i}` }, ...values] } },
    );
    expect(created.data.createDocument.__typename).toBe('CreateDocumentPayload');
  }
  return (refByDocs.totalCount as number) + 22;
}

it('shows all documents that refer to a document, ten at a time', async () => {
  const { url, query } = await startInbox();
  const totalCount = await addReferences(query);
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0200`);
  const references = page.getByRole('region', { name: 'Referring documents' });
  const more = references.getByRole('button', { name: 'Show more' });
  const focused = page.locator(':focus');
  await more.waitFor();
  expect(await references.getByRole('link').count()).toBe(10);
  for (let shown = 10; shown < totalCount; shown += 10) {
    await references.getByText(`and ${totalCount - shown} more`).waitFor();
    await more.press('Enter');
    await expect
      .poll(() => references.getByRole('link').count())
      .toBe(Math.min(shown + 10, totalCount));
    const isLast = shown + 10 >= totalCount;
    expect(await focused.innerText()).toBe(isLast ? 'Referring documents' : 'Show more');
  }
  expect(await more.count()).toBe(0);
  const links = await references.getByRole('link').evaluateAll((all) => all.map(String));
  expect(new Set(links).size).toBe(totalCount);
  expect(await findViolations(page)).toEqual([]);
});

it('says that the document no longer exists when more are requested', async () => {
  const { url, query } = await startInbox();
  await addReferences(query);
  const { page } = await visit(url);
  await page.route('**/graphql', async (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName: string };
    if (operationName !== 'MoreReferences') await route.continue();
    else await route.fulfill({ json: { data: { document: null } } });
  });
  await page.goto(`${url}/app/documents/DOC-0200`);
  const references = page.getByRole('region', { name: 'Referring documents' });
  await references.getByRole('button', { name: 'Show more' }).click();
  await references.getByRole('alert').getByText('The document does not exist').waitFor();
  expect(await references.getByRole('link').count()).toBe(10);
});
