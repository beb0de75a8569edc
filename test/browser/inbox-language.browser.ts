import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { startInbox, unexpected } from './inbox.ts';

it('shows its texts, the names of the DMS, dates and numbers in the chosen language', async () => {
  const { url } = await startInbox();
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByText('2,587.71').waitFor();
  const root = page.locator('html');
  expect(await root.getAttribute('lang')).toBe('en');
  await page.getByText('Cost centre', { exact: true }).waitFor(); // a label of the form
  await page.getByRole('button', { name: 'Respond…' }).click();
  await page.getByLabel('Comment').fill('Checked.');

  const asked = page.waitForRequest(
    (request) => request.postDataJSON()?.operationName === 'FormFields',
  );
  await page.getByLabel('Language').selectOption('de');
  expect((await asked).headers()['accept-language']).toBe('de');
  await page.getByRole('heading', { name: 'Werte' }).waitFor();
  await page.getByText('2.587,71').waitFor();
  await page.getByText('Kostenstelle', { exact: true }).waitFor();
  expect(await page.getByText('Cost centre').count()).toBe(0);
  expect(await root.getAttribute('lang')).toBe('de');
  expect(await page.getByLabel('Kommentar').inputValue()).toBe('Checked.'); // nothing typed is lost
  expect(await page.title()).toContain('Dokumente');

  await page.getByRole('link', { name: 'Alle Dokumente' }).click();
  await page.getByRole('button', { name: 'Verlassen und verwerfen' }).click();
  await page.getByText('1 bis 15 von 200 Dokumenten').first().waitFor();
  await page.getByLabel('Formular').selectOption('Eingangsrechnung');
  await page.reload();
  await page.getByRole('heading', { name: 'Alle Dokumente' }).waitFor(); // remembered
  await page.getByLabel('Sprache').selectOption('en');
  await page.getByRole('heading', { name: 'All documents' }).waitFor();
  await page.getByRole('option', { name: 'Supplier invoice' }).waitFor({ state: 'attached' });
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});
