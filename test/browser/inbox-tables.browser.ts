/** @module-tag nightly */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';
import { paste, pick, sendWaiting, startInbox } from './inbox.ts';

/** Opens the form of an invoice, and fills what it requires. */
async function openInvoice(language: 'en' | 'de', width = 1280) {
  const gateway = await startInbox();
  const { page } = await visit(gateway.url);
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${gateway.url}/app/new`);
  await page.evaluate((code) => localStorage.setItem('inbox.language', code), language);
  await page.reload();
  const [form, number, supplier] = {
    en: ['Supplier invoice', 'Invoice number', 'Supplier'],
    de: ['Eingangsrechnung', 'Rechnungsnummer', 'Lieferant'],
  }[language];
  await page.getByLabel(/^Form/).selectOption(form!);
  await page.getByLabel(number!).fill('RE-1');
  await pick(page, supplier!, 'Acme Tools Ltd');
  const inputs: unknown[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('mutation Create')) inputs.push(inputOf(request.postData()!));
  });
  return { ...gateway, page, inputs };
}

/** The variable `input` of a request. With files, it has several parts. */
function inputOf(body: string): unknown {
  const [, operations = body] = /name="operations"\r\n\r\n(.*)\r\n/.exec(body) ?? [];
  return (JSON.parse(operations) as { variables: { input: unknown } }).variables.input;
}

const create = (page: Page) => page.getByRole('button', { name: /^(?:Create draft|Entwurf erst)/ });

/** Sends the form, and returns what was stored. */
async function store(page: Page, query: Awaited<ReturnType<typeof startInbox>>['query']) {
  await create(page).click();
  await page.waitForURL(/\/documents\/DOC-\d+$/);
  const { data } = await query(
    `query ($id: ID!) { document(id: $id) {
      invoice { total lines { pos article quantity price amount } }
      value(tag: "lines") { ... on TableValue { columns rows } }
    } }`,
    { id: page.url().split('/').at(-1) },
  );
  return data.document;
}

it.each([1280, 360])(
  'reads pasted cells in German, and names what is no number: %d px',
  async (width) => {
    const { page, query, inputs } = await openInvoice('de', width);
    const lines = page.getByRole('group', { name: 'Positionen' });
    const cells = [
      '1\tToner\t2\t89,90\t12,90',
      '2\tPapier\t208\t4,20\t1.234,50',
      '3\tStifte\t1\tabc\tabc',
    ];
    await paste(lines.getByLabel('Pos., Zeile 1'), cells.join('\n'));
    await lines.getByText('Eingefügte Zeilen: 3. Zahlen werden wie 1.250,00 gelesen').waitFor();
    const valueOf = (label: string) => lines.getByLabel(label, { exact: true }).inputValue();
    expect(await valueOf('Betrag, Zeile 1')).toBe('12,90');
    expect(await valueOf('Betrag, Zeile 2')).toBe('1234,50');
    expect(await valueOf('Betrag, Zeile 3')).toBe('abc');
    await lines.getByText('Betrag, Zeile 3: „abc“ ist keine Zahl wie 1.250,00').waitFor();
    await lines.getByText('Einzelpreis, Zeile 3: „abc“ ist keine Zahl wie 1.250,00').waitFor();
    const invalid = lines.locator('[aria-invalid="true"]');
    expect(
      await invalid.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ).toEqual(['Einzelpreis, Zeile 3', 'Betrag, Zeile 3']);
    // Each column has its own sum, or says why it has none.
    const sums = lines.getByRole('row', { name: /^Summe/ });
    await sums.getByRole('cell', { name: '211', exact: true }).waitFor();
    await sums.getByRole('cell', { name: 'Keine Summe: 1 Zelle ist keine Zahl' }).waitFor();
    await sums.getByText('Diese Zahlen werden nicht addiert.').waitFor({ state: 'attached' });
    expect(await findViolations(page)).toEqual([]);

    await create(page).click();
    await expect
      .poll(() => page.locator(':focus').getAttribute('aria-label'))
      .toBe('Einzelpreis, Zeile 3');
    expect(inputs).toEqual([]);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0,05');
    await lines.getByLabel('Betrag, Zeile 3').fill('1.000');
    await page.keyboard.press('Tab');
    expect(await valueOf('Betrag, Zeile 3')).toBe('1000');
    await sums.getByRole('cell', { name: '2.247,40' }).waitFor();

    // The total can be compared.
    await page.getByLabel('Gesamtbetrag').fill('1.107,00');
    await lines
      .getByText('Die Summe Betrag weicht vom Feld Gesamtbetrag (1.107,00) um 1.140,40 ab.')
      .waitFor();
    await lines.getByRole('button', { name: '2.247,40 als Gesamtbetrag übernehmen' }).click();
    await lines
      .getByText('Die Summe Betrag, 2.247,40, entspricht dem Feld Gesamtbetrag.')
      .waitFor();
    expect(await page.getByLabel('Gesamtbetrag').inputValue()).toBe('2247,40');
    const stored = await store(page, query);
    expect(stored.invoice).toEqual({
      total: '2247.40',
      lines: [
        { pos: '1', article: 'Toner', quantity: '2', price: '89.90', amount: '12.90' },
        { pos: '2', article: 'Papier', quantity: '208', price: '4.20', amount: '1234.50' },
        { pos: '3', article: 'Stifte', quantity: '1', price: '0.05', amount: '1000' },
      ],
    });
    expect(inputs).toEqual([
      expect.objectContaining({
        values: [],
        fields: { invoice: expect.objectContaining(stored.invoice) },
      }),
    ]);
  },
);

it('accepts no German number in English, and no text as a number', async () => {
  const { page, query, inputs } = await openInvoice('en');
  const lines = page.getByRole('group', { name: 'Lines' });
  const amount = (row: number) => lines.getByLabel(`Amount, row ${row}`);
  await paste(amount(1), '12,90\n1.234,50\nabc\n');
  for (const [index, text] of ['12,90', '1.234,50', 'abc'].entries()) {
    await lines
      .getByText(`Amount, row ${index + 1}: “${text}” is not a number such as 1,250.00`)
      .waitFor();
  }
  await lines.getByRole('cell', { name: 'No sum: 3 cells are not numbers' }).waitFor();
  await create(page).click();
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Amount, row 1');
  expect(inputs).toEqual([]);
  await paste(amount(1), '12.90 EUR\n€ 1,234.50\n-7.40\n');
  await lines.getByRole('cell', { name: '1,240.00', exact: true }).waitFor();
  const { invoice } = await store(page, query);
  expect(invoice.lines.map((line: { amount: string }) => line.amount)).toEqual([
    '12.90',
    '1234.50',
    '-7.40',
  ]);
});

it('keeps the numbers of a draft when the language changes', async () => {
  const { page, query } = await openInvoice('de');
  const lines = page.getByRole('group', { name: /Positionen|Lines/ });
  await page.getByLabel('Gesamtbetrag').fill('1.234,5');
  await paste(lines.getByLabel('Betrag, Zeile 1'), '1.234,50\nabc');
  await page.getByLabel('Sprache').selectOption('en');
  await expect.poll(() => page.getByLabel('Total').inputValue()).toBe('1234.5');
  expect(await lines.getByLabel('Amount, row 1').inputValue()).toBe('1234.50');
  expect(await lines.getByLabel('Amount, row 2').inputValue()).toBe('abc');
  await page.evaluate(() => localStorage.setItem('inbox.language', 'de'));
  await page.reload(); // the draft is English
  await expect.poll(() => page.getByLabel('Gesamtbetrag').inputValue()).toBe('1234,5');
  await lines.getByLabel('Betrag, Zeile 2').fill('0,5');
  const { invoice } = await store(page, query);
  expect(invoice).toMatchObject({
    total: '1234.5',
    lines: [{ amount: '1234.50' }, { amount: '0.5' }],
  });
});

it('reads pasted dates and names of people, and marks a person who is not known', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  await page.addInitScript(() => localStorage.setItem('inbox.language', 'de'));
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Formular').selectOption('Vertrag');
  await pick(page, 'Vertragspartner', 'Acme Tools Ltd');
  const table = page.getByRole('group', { name: 'Meilensteine' });
  await page.getByRole('option', { name: 'Nora Bakke' }).first().waitFor({ state: 'attached' });
  const first = table.getByLabel('Meilenstein, Zeile 1');
  await paste(first, 'Start\t1.3.2026\t nora  bakke \n\t\t\nEnde\t31.02.2026\tNobody Known');
  expect(await table.getByLabel('Fällig, Zeile 1').inputValue()).toBe('1.3.2026');
  expect(await table.getByLabel('Verantwortlich, Zeile 1').inputValue()).toBe('usr-nora');
  await table.getByText('Fällig, Zeile 3: „31.02.2026“ ist kein Datum wie 31.3.2026').waitFor();
  await table.getByLabel('Fällig, Zeile 3').fill('28.2.2026');
  await create(page).click();
  // The second row is empty, and was not sent.
  await table
    .getByText(
      'Verantwortlich, Zeile 3: Hier ist keine Person mit dem Namen „Nobody Known“ bekannt.',
    )
    .waitFor();
  const person = table.getByLabel('Verantwortlich, Zeile 3');
  expect(await person.getAttribute('aria-invalid')).toBe('true');
  expect(await person.locator('option:checked').innerText()).toBe('Nobody Known');
  await person.selectOption('Ann Louise Keller');
  await create(page).click();
  await page.waitForURL(/\/documents\/DOC-\d+$/);
  const { data } = await query(
    'query ($id: ID!) { document(id: $id) { contract { milestones { milestone due responsible { systemId } } } } }',
    { id: page.url().split('/').at(-1) },
  );
  expect(data.document.contract.milestones).toEqual([
    { milestone: 'Start', due: '2026-03-01', responsible: { systemId: 'usr-nora' } },
    { milestone: 'Ende', due: '2026-02-28', responsible: { systemId: 'usr-ann' } },
  ]);
});

it('says of a stored table why a column has no sum, and whether the total is right', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  const columns = ['Pos', 'Article', 'Quantity', 'Price', 'Amount'];
  const store = async (amounts: readonly string[]): Promise<string> => {
    const rows = amounts.map((amount, index) => [`${index + 1}`, 'Pens', '2', '1.00', amount]);
    const values = [
      { tag: 'total', text: '20.00' },
      { tag: 'lines', table: { columns, rows } },
    ];
    const { data } = await query(
      `mutation ($input: CreateDocumentInput!) { createDocument(input: $input) {
        ... on CreateDocumentPayload { document { shortId } }
      } }`,
      { input: { form: 'invoice', values } },
    );
    return data.createDocument.document.shortId;
  };
  await page.goto(`${url}/app/documents/${await store(['12,90', 'abc', '7.10'])}`);
  const lines = page.getByRole('group', { name: 'Lines' });
  await lines.getByRole('cell', { name: 'No sum: 2 cells are not numbers' }).waitFor();
  await lines.getByRole('cell', { name: '6', exact: true }).waitFor();

  await page.goto(`${url}/app/documents/${await store(['12.90', '7.00'])}`);
  await page.getByText('The sum of Amount differs from the Total of 20.00 by 0.10.').waitFor();
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByText('The sum of Amount, 2,587.71, is the Total.').waitFor();
  expect(await findViolations(page)).toEqual([]);
});

it('approves with changes of a table in German', async () => {
  const { url, query } = await startInbox();
  const { page } = await visit(url);
  await page.addInitScript(() => localStorage.setItem('inbox.language', 'de'));
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Positionen ändern' }).click();
  const lines = page
    .getByRole('group', { name: 'Positionen' })
    .filter({ has: page.getByRole('textbox') });
  const amount = lines.getByLabel('Betrag, Zeile 5');
  await amount.waitFor();
  expect(await amount.inputValue()).toBe('1134,00');
  const send = page.getByRole('button', { name: 'Mit 1 Änderung freigeben' });
  await amount.fill('1.200.00');
  await amount.press('Escape'); // keeps what was entered
  await send.click();
  await lines.getByText('Betrag, Zeile 5: „1.200.00“ ist keine Zahl wie 1.250,00').waitFor();
  await amount.fill('1.200,00');
  await send.click();
  await page.getByText('Mit Änderungen freigeben: DOC-0191').first().waitFor();
  await sendWaiting(page);
  await expect
    .poll(async () => {
      const { data } = await query('{ document(id: "DOC-0191") { invoice { lines { amount } } } }');
      return data.document.invoice.lines.at(-1);
    })
    .toEqual({ amount: '1200.00' });
});
