/** @module-tag nightly */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { visit, type BrowserOptions } from './browser.ts';
import { openNewDocument, pick, startInbox, stopClock } from './inbox.ts';

interface DocumentOptions extends BrowserOptions {
  readonly path?: string;
  readonly width?: number;
  readonly height?: number;
  readonly language?: 'en' | 'de';
  readonly person?: string;
}

async function openPage(options: DocumentOptions = {}) {
  const { path = 'documents/DOC-0191', width = 1280, height = 800, language = 'en' } = options;
  const { person, ...browserOptions } = options;
  const gateway = await startInbox();
  const { page } = await visit(gateway.url, browserOptions.showsPdf ? { showsPdf: true } : {});
  await page.setViewportSize({ width, height });
  await page.addInitScript(
    ([code, id]) => {
      if (location.protocol !== 'http:') return; // the viewer of files
      localStorage.setItem('inbox.language', code);
      if (id !== undefined) sessionStorage.setItem('inbox.person', id);
    },
    [language, person] as const,
  );
  await page.goto(`${gateway.url}/app/${path}`);
  return { ...gateway, page };
}

/** Opens a document from the inbox, so that the list is known. */
async function openFromInbox(options: DocumentOptions = {}) {
  const opened = await openPage({ ...options, path: 'views/inbox' });
  await opened.page.getByRole('link', { name: /^Invoice RE-2026-0058/ }).click();
  await barOf(opened.page).getByRole('button').first().waitFor();
  return opened;
}

const barOf = (page: Page): Locator => page.getByRole('group', { name: /^(?:Actions|Aktionen)$/ });
const headingOf = (page: Page): Locator => page.getByRole('heading', { level: 1 });

/** Whether an element is completely in the window. */
const isInWindow = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  });

/** Counts the requests of an operation from now on. */
function countOf(page: Page, operation: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.postDataJSON()?.operationName === operation)
      count += 1;
  });
  return () => count;
}

it.each([1280, 1920])(
  'shows values and file side by side, without scrolling: %d px',
  async (width) => {
    const { page } = await openPage({ width, showsPdf: true });
    const file = page.locator('.file-viewer iframe[src^="blob:"]');
    await file.waitFor();
    const values = page.getByRole('region', { name: 'Values' });
    const total = values.getByText('€2,587.71');
    await total.waitFor();
    expect(await isInWindow(total)).toBe(true);
    expect(await isInWindow(file)).toBe(true);
    const [left, right] = [await values.boundingBox(), await file.boundingBox()];
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x);
    // The file stays beside the values that are further down.
    await page.getByRole('region', { name: 'Referring documents' }).scrollIntoViewIfNeeded();
    expect(await isInWindow(file)).toBe(true);
    expect(await isInWindow(barOf(page))).toBe(true);
    if (width === 1920) {
      const properties = await page.getByRole('region', { name: 'Properties' }).boundingBox();
      expect(properties!.x).toBeGreaterThan(right!.x + right!.width); // the width is used
      expect(properties!.x + properties!.width).toBeGreaterThan(1800);
    }
  },
);

it.each([1280, 900, 600, 360])('has actions that stay visible: %d px', async (width) => {
  const { page } = await openPage({ width, language: 'de' });
  const approve = barOf(page).getByRole('button', { name: 'Freigeben', exact: true });
  await approve.waitFor();
  for (const y of [0, 300, 100_000]) {
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), y);
    expect(await isInWindow(approve)).toBe(true);
  }
  expect(await findViolations(page)).toEqual([]);
  await barOf(page).getByRole('button', { name: 'Ablehnen …' }).click();
  const comment = page.getByLabel('Warum lehnen Sie es ab?');
  await comment.waitFor();
  await expect.poll(() => isInWindow(comment)).toBe(true);
});

it.each([
  {
    language: 'en',
    width: 1280,
    approve: 'Approve',
    undo: /^Undo/,
    left: '25 left',
    next: '24 left',
  },
  {
    language: 'de',
    width: 360,
    approve: 'Freigeben',
    undo: /^Zurück/,
    left: 'Noch 25',
    next: 'Noch 24',
  },
] as const)(
  'approves with one click, and opens the next document: $language, $width px',
  async (texts) => {
    const { language, width, approve, undo, left, next } = texts;
    const { page, query } = await openFromInbox({ language, width });
    const sent = countOf(page, 'Respond');
    const toast = page.locator('.toast');
    const stateOf = async (id: string) => {
      const { data } = await query(
        'query ($id: ID!) { document(id: $id) { response { status } } }',
        { id },
      );
      return data.document.response;
    };
    const says = async () => {
      await page.clock.runFor(1); // Apollo Client passes changes of its cache on with a timer
      return toast.innerText();
    };
    // Taken back: nothing was sent, and the document is shown again.
    await stopClock(page);
    await barOf(page).getByRole('button', { name: approve, exact: true }).click();
    await expect.poll(() => headingOf(page).innerText()).toMatch(/RE-2026-0054/);
    await expect.poll(says).toContain(left);
    const violations = findViolations(page);
    const isChecked = violations.then(() => true);
    const isCheckedAfterMoment = async () => {
      await page.clock.runFor(1); // axe waits with timers
      return Promise.race([isChecked, Promise.resolve(false)]);
    };
    await expect.poll(isCheckedAfterMoment).toBe(true);
    expect(await violations).toEqual([]);
    await toast.getByRole('button', { name: undo }).click();
    await expect.poll(() => headingOf(page).innerText()).toMatch(/RE-2026-0058/);
    await barOf(page).getByRole('button', { name: approve, exact: true }).waitFor();
    await page.clock.runFor(10_000);
    expect(sent()).toBe(0);

    await barOf(page).getByRole('button', { name: approve, exact: true }).click();
    await expect.poll(() => headingOf(page).innerText()).toMatch(/RE-2026-0054/);
    expect(sent()).toBe(0);
    const answer = page.waitForResponse(
      (response) => response.request().postDataJSON()?.operationName === 'Respond',
    );
    await page.clock.runFor(5000);
    expect((await answer).ok()).toBe(true);
    await expect.poll(says).toContain(left);
    expect(await stateOf('DOC-0191')).toBeNull();

    await page.clock.runFor(600);
    await barOf(page).getByRole('button', { name: approve, exact: true }).click();
    await expect.poll(() => headingOf(page).innerText()).toBe('Server maintenance');
    await expect.poll(says).toContain(next);
    await page.clock.runFor(5000);
    await expect.poll(sent).toBe(2);
  },
);

it('reviews with keys: a, d, u, j and k', async () => {
  const { page } = await openFromInbox();
  const sent = countOf(page, 'Respond');
  const title = () => headingOf(page).innerText();
  await page.keyboard.press('j');
  await expect.poll(title).toMatch(/RE-2026-0054/);
  await page.keyboard.press('j');
  await expect.poll(title).toBe('Server maintenance');
  await page.keyboard.press('k');
  await expect.poll(title).toMatch(/RE-2026-0054/);
  await barOf(page).getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await stopClock(page);
  await page.keyboard.press('a');
  await expect.poll(title).toBe('Server maintenance');
  await page.keyboard.press('u');
  await page.clock.resume();
  await expect.poll(title).toMatch(/RE-2026-0054/);
  await expect
    .poll(() => barOf(page).getByRole('button', { name: 'Approve', exact: true }).isEnabled())
    .toBe(true);
  expect(sent()).toBe(0);
  await page.keyboard.press('d');
  await page.getByLabel('Why do you decline it?').waitFor();
  await page.keyboard.type('the price is jdk'); // is typed, and no command
  expect(await page.getByLabel('Why do you decline it?').inputValue()).toBe('the price is jdk');
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByText('Decline: DOC-0179').first().waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Decline the document').waitFor();
  expect(await page.locator(':focus').innerText()).toBe('Close');
});

it('reports elsewhere why an approval failed that was sent later', async () => {
  const { page, query } = await openFromInbox();
  await page.clock.install();
  await barOf(page).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(() => headingOf(page).innerText()).toMatch(/RE-2026-0054/);
  for (const action of ['SUSPEND', 'RESUME']) {
    await query(
      `mutation { moveDocument(input: { document: "DOC-0191", action: ${action} }) { __typename } }`,
    );
  }
  await page.clock.runFor(5000);
  const notice = page.getByRole('region', { name: 'Earlier action' });
  await notice.getByText('DOC-0191: the action failed.').waitFor();
  await notice.getByText('Someone else has changed the document').waitFor();
  expect(await page.locator('.toast').count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Show the document' }).click();
  await expect.poll(() => headingOf(page).innerText()).toMatch(/RE-2026-0058/);
});

it('sends an approval that waits before another person is chosen', async () => {
  const { page, query } = await openFromInbox();
  await page.clock.install();
  await barOf(page).getByRole('button', { name: 'Approve', exact: true }).click();
  await page.locator('.toast').waitFor();
  await page.getByLabel('Signed in as').selectOption('usr-carlos');
  await page.waitForURL(/views\/inbox$/);
  await expect
    .poll(async () => {
      const { data } = await query('{ documents(view: INBOX, first: 1) { totalCount } }');
      return data.documents.totalCount;
    })
    .toBe(25);
});

it.each([
  {
    language: 'en',
    person: 'usr-greta',
    shown: 'Greta Möller · Records · elAdminDocsR',
    text: 'Only its author and people with the role elAdminDocsRW can move it.',
  },
  {
    language: 'de',
    person: 'usr-farid',
    shown: 'Farid Haddad · Human Resources · elAdminSysRW',
    text: 'Nur der Autor und Personen mit der Rolle elAdminDocsRW können es verschieben.',
  },
] as const)(
  'names the role that is missing: $language',
  async ({ language, person, shown, text }) => {
    const { page, query } = await openPage({ language, person, path: 'views/all' });
    await page.locator('tbody a').first().waitFor();
    const menu = page.locator('.person-menu select');
    expect(await menu.locator('option:checked').innerText()).toBe(shown);
    await page.goto(page.url().replace(/app.*/, `app/documents/${await foreignOf(query, person)}`));
    await barOf(page).getByText(text).waitFor();
    expect(await barOf(page).getByRole('button').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  },
);

/** A memo of somebody else that everybody with a role, or its approver, can see. */
async function foreignOf(
  query: Awaited<ReturnType<typeof startInbox>>['query'],
  person: string,
): Promise<string> {
  const { data } = await query(
    '{ documents(view: ALL, first: 100, filter: { forms: ["policy"] }) { nodes { shortId author { systemId } } } }',
  );
  const nodes = data.documents.nodes as { shortId: string; author: { systemId: string } }[];
  return nodes.find(({ author }) => author.systemId !== person)!.shortId;
}

it.each([
  {
    language: 'en',
    send: 'Send to approval',
    text: 'This draft was not sent yet.',
    done: 'Approval',
  },
  {
    language: 'de',
    send: 'Zur Freigabe senden',
    text: 'Dieser Entwurf wurde noch nicht gesendet.',
    done: 'Freigabe',
  },
] as const)(
  'says of an own draft what comes next: $language',
  async ({ language, send, text, done }) => {
    const { page } = await openPage({ language, path: 'documents/DOC-0199', person: 'usr-olga' });
    await barOf(page).getByText(text).waitFor();
    const button = barOf(page).getByRole('button', { name: send, exact: true });
    expect(await button.getAttribute('class')).toContain('button-primary');
    expect(await findViolations(page)).toEqual([]);
    await page.clock.install();
    await button.click();
    await page.locator('.toast').getByText(`${send}: DOC-0199`).waitFor();
    await page.clock.runFor(5000);
    await page.locator('.page-heading .badge', { hasText: done }).waitFor();
  },
);

it('speaks in the history of events and people', async () => {
  const { page, query } = await openPage();
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: SUSPEND }) { __typename } }',
  );
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: RESUME }) { __typename } }',
  );
  await query(
    'mutation { moveDocument(input: { document: "DOC-0191", action: RESEND }) { __typename } }',
  );
  await page.reload();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Dina Petrivna Kovalenko created the document').waitFor();
  await history.getByText('It was sent again after a response').waitFor();
  await history.getByText('Now: Approval').waitFor();
  const properties = page.getByRole('region', { name: 'Properties' });
  const text = `${await history.innerText()} ${await properties.innerText()}`;
  expect(text).not.toMatch(/revision|iteration|step/i);
});

it('names a new document by its form', async () => {
  const { page } = await openPage({ path: 'views/inbox' });
  await openNewDocument(page);
  await page.getByLabel('Form').selectOption('Contract');
  await pick(page, 'Contracting party', 'Acme Tools Ltd');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page
    .getByText(/The document DOC-\d+ was created\./)
    .first()
    .waitFor();
  await expect.poll(() => headingOf(page).innerText()).toBe('Contract Acme Tools Ltd');
});

it.each(['slow', 'offline'])('shows the title that the list knows: %s', async (state) => {
  const { page, url } = await openPage({ path: 'views/inbox' });
  const link = page.getByRole('link', { name: /^Invoice RE-2026-0054/ });
  await link.waitFor();
  await page.route('**/graphql', (route) => (state === 'offline' ? route.abort() : undefined));
  await link.click();
  await page.waitForURL(`${url}/app/documents/DOC-0179?list=inbox`);
  await expect
    .poll(() => headingOf(page).innerText())
    .toBe('Invoice RE-2026-0054 of Lighthouse Consulting LLP');
  if (state === 'offline') await page.getByText('The document cannot be shown.').waitFor();
  else await page.locator('.skeleton').first().waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

it.each(['documents/DOC-0191', 'views/inbox'])(
  'prints a page that one would file: %s',
  async (path) => {
    const { page } = await openPage({ path });
    await page.getByText('2,587.71').first().waitFor();
    await page.setViewportSize({ width: 720, height: 1000 });
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
    const visible = await page
      .locator('button:not(.file-name), select, input, nav, iframe')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height > 0).map((one) => one.outerHTML),
      );
    expect(visible).toEqual([]);
    const cut = await page
      .locator('.clip, h1, td, th')
      .evaluateAll((all) =>
        all
          .filter(
            (one) =>
              one.getBoundingClientRect().height > 0 && one.scrollWidth > one.clientWidth + 1,
          )
          .map((one) => one.textContent),
      );
    expect(cut).toEqual([]);
    expect(await headingOf(page).isVisible()).toBe(true);
  },
);

it('opens exactly what a card shows in the playground', async () => {
  const { page, url, query } = await openPage();
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  expect(await page.locator('.inspect-link').count()).toBe(0);
  await page.getByRole('button', { name: 'REST calls' }).click();
  expect(await findViolations(page)).toEqual([]);
  for (const [card, field] of [
    ['Values', 'values'],
    ['Files', 'files'],
    ['Recognition', 'recoData'],
    ['Referring documents', 'refByDocs'],
    ['Properties', 'tags'],
    ['History', 'dateCreated'],
  ] as const) {
    const region = page.getByRole('region', { name: card, exact: true });
    const link = region.getByRole('link', { name: `Inspect ${card} in the playground` });
    const target = new URL((await link.getAttribute('href'))!, url);
    expect(target.pathname).toBe('/graphql');
    const text = target.searchParams.get('query')!;
    expect(text).not.toContain('__typename');
    const { data, errors } = await query(text);
    expect(errors).toBeUndefined();
    expect(Object.keys(data.document)).toContain(field);
    if (card === 'Properties') expect(Object.keys(data.document)).not.toContain('values');
  }
});
