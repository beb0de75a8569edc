import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { visit, type Visit } from '../browser/browser.ts';
import { addressOf, spawnGateway } from '../helpers/process.ts';
import { readSections } from './page-section.ts';
import { createProject } from './project.ts';

const sections = readSections(
  await readFile(new URL('../../docs/front-end.md', import.meta.url), 'utf8'),
);

/** Commands of the page that the test replaces: it has a directory, starts servers on free ports, and stops them. */
const replaced = [
  'npm ci && npm start',
  'mkdir -p ../my-inbox/src ../my-inbox/vendor',
  'npm pack --pack-destination ../my-inbox/vendor',
  'cd ../my-inbox',
  'npm run dev',
];

it('leads step by step to a front end that works', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'front-end-dms-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const gateway = await addressOf(spawnGateway({ DATA_DIR: dataDir }));
  const project = await createProject();
  await mkdir(join(project.directory, 'vendor'));
  await copyFile(inject('tarball'), join(project.directory, 'vendor', basename(inject('tarball'))));

  /** Follows the next sections of the page, up to and including this one, as a reader does. */
  const follow = async (last: string): Promise<void> => {
    const end = sections.findIndex(({ heading }) => heading === last);
    if (end === -1) throw new Error(`The page has no section "${last}".`);
    for (const { files, commands } of sections.splice(0, end + 1)) {
      const local = [...files].map(
        ([path, text]) => [path, text.replaceAll('http://127.0.0.1:4000', gateway)] as const,
      );
      await project.write(new Map(local));
      for (const command of commands) {
        if (!replaced.includes(command)) await project.run(command);
      }
    }
  };
  /** Opens the front end in a browser while `look` runs. Vite starts anew each time, with the packages in use. */
  const open = async (look: (visit: Visit) => Promise<void>): Promise<void> => {
    const vite = await project.startVite();
    const visited = await visit(vite.origin);
    await visited.page.goto(vite.origin);
    await look(visited);
    await visited.browser.close();
    expect(visited.outside).toEqual([]);
    // Apollo Client closes a response after its last part, which the browser reports as a failed request.
    const known = `request failed: ${vite.origin}/graphql`;
    expect(visited.complaints.filter((one) => one !== known)).toEqual([]);
    await vite.stop();
  };
  const move = async (action: string): Promise<void> => {
    const query = `mutation { moveDocument(input: { document: "DOC-0179", action: ${action} }) { __typename } }`;
    const response = await fetch(`${gateway}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await response.json()).toEqual({
      data: { moveDocument: { __typename: 'MoveDocumentPayload' } },
    });
  };

  await follow('Show the inbox');
  await open(async ({ page }) => {
    await page.getByText('20 of 26 documents').waitFor();
    const row = page.getByRole('row', { name: /DOC-0191/ });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      'Invoice RE-2026-0058 of Acme Tools Ltd (DOC-0191)',
      'Dina Petrivna Kovalenko',
      '10',
    ]);
    expect(await page.getByRole('row').count()).toBe(21);
  });

  await follow('Load more documents');
  await open(async ({ page }) => {
    await page.getByText('20 of 26 documents').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('26 of 26 documents').waitFor();
    expect(await page.getByRole('row').count()).toBe(27);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  await follow('Approve a document');
  await open(async ({ page }) => {
    const row = page.getByRole('row', { name: /DOC-0179/ });
    await row.getByLabel('Tag').fill('urgent, paid');
    await row.getByRole('button', { name: 'Approve' }).click();
    const issue = 'A tag must have 1 to 256 characters without control characters and commas.';
    await row.getByRole('alert').getByText(issue, { exact: true }).waitFor();
    await move('SUSPEND');
    await move('RESUME');
    await row.getByLabel('Tag').fill('urgent');
    await row.getByRole('button', { name: 'Approve' }).click();
    await row.getByText('Someone else has changed the document.').waitFor();
    expect(await row.getByLabel('Tag').inputValue()).toBe('urgent');
  });

  await follow('Upload files');
  await open(async ({ page }) => {
    await page.getByText('20 of 26 documents').waitFor();
    const row = page.getByRole('row', { name: /DOC-0179/ });
    await row.getByText('Dina Petrivna Kovalenko').waitFor();
    // A change that the page did not cause.
    await move('SUSPEND');
    await page.getByText('20 of 25 documents').waitFor();
    await move('RESUME');
    await page.getByText('20 of 26 documents').waitFor();
    await row.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('20 of 25 documents').waitFor();

    const content = Buffer.alloc(300_000, 'monitor');
    await page.getByLabel('Subject').fill('Two monitors');
    await page
      .getByLabel('Files')
      .setInputFiles([{ name: 'offer.txt', mimeType: 'text/plain', buffer: content }]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Created DOC-0201.').waitFor();
    const link = await page.getByRole('link', { name: 'offer.txt' }).getAttribute('href');
    expect(link).toContain(`${new URL(page.url()).origin}/files/`);
    const file = await fetch(link!);
    expect(content.equals(await file.bytes())).toBe(true);
  });

  await follow('Build and deploy');
  expect(sections).toEqual([]);
  expect(await readFile(join(project.directory, 'dist/index.html'), 'utf8')).toMatch(
    /src="\/assets\/index-[\w-]+\.js"/,
  );
});
