import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { startInbox, unexpected } from './inbox.ts';

interface TracedResponse {
  readonly extensions: { readonly upstream: readonly { readonly route: string }[] };
}

/** A document whose values are an invoice's. */
const invoice = 'DOC-0191';

/** Chooses a person before the page is opened. */
async function signIn(page: Page, systemId: string): Promise<void> {
  await page.addInitScript((id) => {
    if (location.protocol === 'http:') sessionStorage.setItem('inbox.person', id); // no viewer of files
  }, systemId);
}

const isOperation =
  (name: string) =>
  (response: Response): boolean =>
    (response.request().postData() ?? '').includes(`"operationName":"${name}"`);

/** Number of REST calls by route. */
async function routesOf(response: Promise<Response>): Promise<Record<string, number>> {
  const { extensions } = (await (await response).json()) as TracedResponse;
  const counts: Record<string, number> = {};
  for (const { route } of extensions.upstream) counts[route] = (counts[route] ?? 0) + 1;
  return counts;
}

const valuesOf = (page: Page) => page.getByRole('region', { name: 'Values' });

it(
  'shows a person without a role the labels, amounts, dates and names',
  { tags: ['nightly'] },
  async () => {
    const { url } = await startInbox();
    const { page, outside, complaints } = await visit(url);
    await signIn(page, 'usr-ann');
    await page.goto(`${url}/app/documents/${invoice}`);
    const values = valuesOf(page);
    await values.waitFor();
    expect(await values.getByRole('term').allInnerTexts()).toEqual([
      'Invoice number',
      'Invoice date',
      'Supplier',
      'Cost centre',
      'Currency',
      'Total',
      'Buyer',
      'Contract',
      'Related documents',
      'Tags',
    ]);
    const definitions = await values.getByRole('definition').allInnerTexts();
    expect(definitions.slice(0, 7)).toEqual([
      'RE-2026-0058',
      'Oct 18, 2026',
      'Acme Tools Ltd DE810000020',
      '400 Development',
      'Euro',
      '€2,587.71',
      expect.stringMatching(/^Priya Raman/),
    ]);
    // Two documents that Ann may not see.
    expect(definitions.slice(7, 9)).toEqual(['Not visible to you', 'Not visible to you']);
    expect(await page.getByRole('region', { name: 'Properties' }).innerText()).toContain(
      'Supplier invoice',
    );
    // What has another label than its name.
    await page.getByLabel('Language').selectOption('de');
    const lines = page.getByRole('group', { name: 'Positionen' });
    expect(await lines.getByRole('columnheader').allInnerTexts()).toEqual([
      'Pos.',
      'Artikel',
      'Menge',
      'Einzelpreis',
      'Betrag',
    ]);
    await page.getByText(/^2\.587,71\s€$/).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/[\da-f]{24}|usr-/);
    expect(outside).toEqual([]);
    expect(unexpected(complaints, url)).toEqual([]);
  },
);

it(
  'names recognized values that the document has, also those that refer to an object',
  { tags: ['nightly'] },
  async () => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await signIn(page, 'usr-ann');
    await page.goto(`${url}/app/documents/${invoice}`);
    const recognition = page.getByRole('region', { name: 'Recognition' });
    const same = await recognition.getByText('The same as in the document:').innerText();
    for (const label of ['Invoice number', 'Vendor']) expect(same).toContain(label);
    expect(await recognition.getByRole('definition').count()).toBe(0);
  },
);

it('shows people in tables by their names', { tags: ['nightly'] }, async () => {
  const { url, query } = await startInbox();
  const { data } = await query(
    '{ documents(view: ALL, filter: { forms: ["contract"] }, first: 1) { nodes { shortId contract { milestones { responsible { fullName } } } } } }',
  );
  const [{ shortId, contract }] = data.documents.nodes;
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/${shortId}`);
  const milestones = page.getByRole('group', { name: 'Milestones' });
  await milestones.waitFor();
  const text = await milestones.innerText();
  for (const { responsible } of contract.milestones) expect(text).toContain(responsible.fullName);
});

it('links to related documents by their titles', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.goto(`${url}/app/documents/${invoice}`);
  const contract = valuesOf(page).getByRole('link').first();
  expect(await contract.getAttribute('href')).toBe('/app/documents/DOC-0182');
  const title = await contract.innerText();
  await contract.click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
});

it('reads a document with all its names and labels in one request', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await signIn(page, 'usr-ann');
  const names: string[] = [];
  page.on('request', (request) => {
    const name = /"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1];
    if (name !== undefined) names.push(name);
  });
  await page.goto(`${url}/app/documents/${invoice}`);
  await valuesOf(page).getByText('€2,587.71').waitFor();
  await page.getByRole('button', { name: 'REST calls' }).click();
  const drawer = page.getByRole('region', { name: 'REST calls', exact: true });
  const operation = drawer.getByRole('rowgroup').filter({ hasText: 'DocumentPage' });
  await operation.waitFor();
  const paths = await operation.getByRole('rowheader').locator('code:first-child').allInnerTexts();
  const calls = paths.map((path) => path.replace(/[^/]*\d[^/]*(?=$|\/text$)/, '{id}'));
  expect(calls.toSorted()).toMatchInlineSnapshot(`
    [
      "GET /api/v2/crm/org/{id}",
      "GET /api/v2/docForm/{id}",
      "GET /api/v2/docForm/{id}",
      "GET /api/v2/docForm/{id}",
      "GET /api/v2/idp/{id}/text",
      "GET /api/v2/listValue/{id}",
      "GET /api/v2/listValue/{id}",
      "GET /api/v2/person/usr-dina",
      "GET /api/v2/person/usr-priya",
    ]
  `);
  await page.getByRole('group', { name: 'Actions' }).waitFor();
  const others = ['AwaitedDocuments', 'ViewCounts', 'WatchDocument']; // not of the document
  expect(names.filter((name) => !others.includes(name))).toEqual(['DocumentPage']);
});

it(
  'lists documents with their form, partner and amount, at one call per partner',
  { tags: ['nightly'] },
  async () => {
    const { url } = await startInbox();
    const { page } = await visit(url);
    await signIn(page, 'usr-ann');
    const answer = page.waitForResponse(isOperation('DocumentList'));
    await page.goto(`${url}/app/views/inbox`);
    const row = page.getByRole('row').filter({ hasText: invoice });
    await row.getByText('€2,587.71').waitFor();
    expect(await row.locator('.document-row-details').innerText()).toContain('Supplier invoice');
    expect(await routesOf(answer)).toMatchInlineSnapshot(`
    {
      "GET /api/v2/crm/org/{id}": 13,
      "GET /api/v2/docForm/view/{viewId}": 1,
      "GET /api/v2/listValue/{id}": 2,
      "GET /api/v2/person/{id}": 10,
    }
  `);
    expect(await findViolations(page)).toEqual([]);
  },
);

it('creates a document for a person without a role', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  await signIn(page, 'usr-ann');
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Form').selectOption('Contract');
  await page.getByRole('combobox', { name: 'Contracting party' }).fill('acme');
  const party = page.getByRole('listbox').getByRole('option', { name: 'Acme Tools Ltd' });
  await party.click();
  await page.getByLabel('Valid from').fill('2026-03-01');
  const milestones = page.getByRole('group', { name: 'Milestones' });
  expect(await milestones.getByRole('columnheader').allInnerTexts()).toEqual([
    'Milestone',
    'Due',
    'Responsible',
  ]);
  await milestones.getByLabel('Milestone, row 1').fill('Signed');
  await milestones.getByLabel('Due, row 1').fill('2026-04-01');
  await milestones.getByLabel('Responsible, row 1').selectOption('Ann Louise Keller');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  const id = page.url().replace(`${url}/app/documents/`, '');
  const { data } = await query(
    `query ($id: ID!) { document(id: $id) { contract {
      partner { name } validfrom milestones { milestone due responsible { systemId } }
    } } }`,
    { id },
  );
  expect(data.document.contract).toEqual({
    partner: { name: 'Acme Tools Ltd' },
    validfrom: '2026-03-01',
    milestones: [{ milestone: 'Signed', due: '2026-04-01', responsible: { systemId: 'usr-ann' } }],
  });
  await valuesOf(page).getByText('Mar 1, 2026').waitFor();
  await page.getByRole('group', { name: 'Milestones' }).getByText('Ann Louise Keller').waitFor();
});

it('works with a gateway that does not know the forms', { tags: ['nightly'] }, async () => {
  const { url } = await startInbox({ forms: false });
  const { page } = await visit(url);
  await page.goto(`${url}/app/views/inbox`);
  await page.getByText('of 26 documents').first().waitFor();
  await page.getByRole('link', { name: 'Invoice RE-2026-0058 of Acme Tools Ltd' }).click();
  const values = valuesOf(page);
  await values.getByText('RE-2026-0058', { exact: true }).waitFor();
  expect(await values.getByRole('term').allInnerTexts()).toContain('Costcentre');
  expect(await page.getByRole('alert').count()).toBe(0);
});
