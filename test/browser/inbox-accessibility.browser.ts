import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';
import { findViolations } from './accessibility.ts';
import { visit } from './browser.ts';

const directory = fileURLToPath(new URL('../../examples/inbox/dist', import.meta.url));

it('passes axe on a view and a document', async () => {
  const { url } = await startGatewayOnSandbox({ server: { frontEnd: { directory } } });
  const { page } = await visit(url);
  await page.goto(`${url}/`);
  await page.getByText('1 to 15 of 26 documents').first().waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.goto(`${url}/app/documents/DOC-0191`);
  await page.getByRole('heading', { name: 'Recognized text' }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  // The check finds what is wrong.
  await page.evaluate(() => document.querySelector('h1')?.append(document.createElement('img')));
  expect(await findViolations(page)).toEqual([expect.stringMatching(/^image-alt: <img>/)]);
});
