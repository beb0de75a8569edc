/** @module-tag nightly */
import { expect, it } from 'vitest';
import { visit } from './browser.ts';
import { sendWaiting, startInbox, unexpected } from './inbox.ts';

it('shows its texts, the names of the DMS, dates and numbers in the chosen language', async () => {
  const { url } = await startInbox();
  const { page, outside, complaints } = await visit(url);
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByText('2,587.71').first().waitFor();
  const root = page.locator('html');
  expect(await root.getAttribute('lang')).toBe('en');
  await page.getByText('Cost centre', { exact: true }).waitFor(); // a label of the form
  await page.getByRole('button', { name: 'With comment…' }).click();
  await page.getByLabel('Comment').fill('Checked.');

  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('heading', { name: 'Werte' }).waitFor();
  await page.getByText('2.587,71').first().waitFor();
  await page.getByText('Kostenstelle', { exact: true }).waitFor();
  expect(await page.getByText('Cost centre').count()).toBe(0);
  expect(await root.getAttribute('lang')).toBe('de');
  expect(await page.getByLabel('Kommentar').inputValue()).toBe('Checked.'); // nothing typed is lost
  expect(await page.title()).toContain('Dokumente');

  const asked = page.waitForRequest(
    (request) => request.postDataJSON()?.operationName === 'DocumentList',
  );
  await page.getByRole('link', { name: 'Alle Dokumente' }).click();
  await page.getByRole('button', { name: 'Verlassen und verwerfen' }).click();
  await page.getByText('1 bis 20 von 200 Dokumenten').first().waitFor();
  expect((await asked).headers()['accept-language']).toBe('de');
  await page.getByLabel('Formular').selectOption('Eingangsrechnung');
  await page.reload();
  await page.getByRole('heading', { name: 'Alle Dokumente' }).waitFor(); // remembered
  await page.getByLabel('Sprache').selectOption('en');
  await page.getByRole('heading', { name: 'All documents' }).waitFor();
  await page.getByRole('option', { name: 'Supplier invoice' }).waitFor({ state: 'attached' });
  expect(outside).toEqual([]);
  expect(unexpected(complaints, url)).toEqual([]);
});

it('explains errors, and shows the messages of the gateway, in the chosen language', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.addInitScript(() => localStorage.setItem('inbox.language', 'de'));
  const alert = page.getByRole('alert');
  const english = page.locator('span[lang="en"]');
  await page.goto(`${url}/app/views/all?step=101`);
  await alert.getByText('Die Anfrage wurde abgelehnt.').waitFor();
  await alert.getByText('Der Filter step muss eine Zahl von 0 bis 100 sein, nicht 101.').waitFor();
  expect(await english.count()).toBe(0);

  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Schlagwörter ändern' }).click();
  const tags = page.getByRole('textbox', { name: 'Schlagwörter' });
  await tags.fill('x'.repeat(300));
  await page.getByRole('button', { name: 'Mit 1 Änderung freigeben' }).click();
  await sendWaiting(page);
  await page.getByRole('link', { name: 'Dokument anzeigen' }).click();
  await alert.getByText('Die Anfrage wurde abgelehnt.').waitFor();
  expect(await alert.innerText()).toBe('Die Anfrage wurde abgelehnt.');
  expect(await english.count()).toBe(0);
  const issueId = await tags.getAttribute('aria-describedby'); // beside the field
  const issue = page.locator(`[id="${issueId}"]`);
  expect(await issue.innerText()).toMatch(/^Ein Schlagwort muss 1 bis 256 Zeichen haben/);
});

it('marks the reason why the action of a new document failed as English', async () => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.addInitScript(() => localStorage.setItem('inbox.language', 'de'));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('mutation Create') !== true) return route.continue();
    const response = await route.fetch();
    const body = await response.text();
    const reason = '"workflowError":"There is no route."';
    return route.fulfill({ response, body: body.replace('"workflowError":null', reason) });
  });
  await page.goto(`${url}/app/new`);
  await page.getByLabel('Formular').selectOption('Aktennotiz');
  await page.getByRole('button', { name: 'Entwurf erstellen' }).click();
  const notice = page.locator('.notice-warning');
  await notice.waitFor();
  expect(await notice.innerText()).toMatch(
    /^Das Dokument DOC-\d+ wurde erstellt\. Die Aktion ist fehlgeschlagen: There is no route\.$/,
  );
  expect(await notice.locator('[lang="en"]').innerText()).toBe('There is no route.');
  const announced = page.getByRole('status').filter({ hasText: 'Die Aktion ist fehlgeschlagen:' });
  expect(await announced.locator('[lang="en"]').innerText()).toBe('There is no route.');
});

it.each([
  {
    error: {
      __typename: 'ForbiddenError',
      requiredRole: 'elWorkflowRW',
      message: 'You are not allowed to do this. The role elWorkflowRW is required.',
    },
    text: 'Sie dürfen dies nicht tun. Erforderliche Rolle: elWorkflowRW.',
  },
  {
    error: { __typename: 'ForbiddenError', requiredRole: 'elWorkflowRW', message: 'Locked.' },
    text: 'Sie dürfen dies nicht tun. Erforderliche Rolle: elWorkflowRW. Locked.',
  },
  {
    error: { __typename: 'NotFoundError', message: 'The document was not found.' },
    text: 'Ein benötigtes Objekt existiert nicht, oder Sie dürfen es nicht sehen.',
  },
  {
    error: {
      __typename: 'NothingChangedError',
      message: 'The document was not changed. The DMS processed the request but updated nothing.',
    },
    text: 'Der Dokumentendienst hat nichts geändert.',
  },
  {
    error: { __typename: 'NothingChangedError', message: 'The phase is over.' },
    text: 'Der Dokumentendienst hat nichts geändert. The phase is over.',
  },
  {
    error: { __typename: 'ValidationError', issues: [], message: 'A step is missing.' },
    text: 'Die Anfrage wurde abgelehnt. A step is missing.',
  },
])('explains $error.__typename in the chosen language', async ({ error, text }) => {
  const { url } = await startInbox();
  const { page } = await visit(url);
  await page.addInitScript(() => localStorage.setItem('inbox.language', 'de'));
  await page.route('**/graphql', (route) => {
    const operation = route.request().postDataJSON()?.operationName;
    if (operation === 'Move') return route.fulfill({ json: { data: { moveDocument: error } } });
    if (operation !== 'MoveAll') return route.continue();
    return route.fulfill({ json: { data: { moveDocuments: { results: [error] } } } });
  });
  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('button', { name: 'Verschieben …' }).click();
  await page.getByLabel('Aktion', { exact: true }).selectOption('SUSPEND');
  await page.getByRole('button', { name: 'Aussetzen' }).click();
  await sendWaiting(page);
  await page.getByRole('region', { name: 'Frühere Aktion' }).waitFor();
  await expect.poll(() => page.getByRole('alert').innerText()).toBe(text);

  await page.goto(`${url}/app/views/inbox`);
  await page.getByRole('checkbox', { name: /^Invoice RE-2026-0058.* auswählen$/ }).check();
  await page.getByLabel('Aktion', { exact: true }).selectOption('Aussetzen');
  await page.getByRole('button', { name: 'Auf 1 anwenden' }).click();
  await sendWaiting(page);
  const row = page.getByRole('row').filter({ hasText: 'RE-2026-0058' });
  await row.getByText(text).waitFor();
});
