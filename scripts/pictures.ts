/**
 * Starts the gateway with a new sandbox and writes the pictures of README.md and docs/, in light and dark: the inbox, one of its
 * documents, and the playground with the README's query.
 *
 *     npm run docs:pictures
 *
 * With `-- --states`, it takes pictures of each state of both screens instead: see pictures-of-states.ts.
 *
 * It uses Debian's Chromium, or the browser in CHROMIUM. The data contain Japanese names, which need a font such as
 * Debian's fonts-wqy-zenhei.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { takePicturesOfStates } from './pictures-of-states.ts';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const readme = await readFile(pathOf('../README.md'), 'utf8');
/** The README's query, and a value of its response. */
const query = captured(/<!-- query -->\s+```graphql\n([\s\S]*?)```/);
const shownId = captured(/<!-- answer -->\s+```json\n[\s\S]*?"shortId": "([^"]+)"/);

const scratch = await mkdtemp(join(tmpdir(), 'pictures-'));
const gateway = spawn(process.execPath, [pathOf('../src/start.mjs')], {
  env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: join(scratch, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await takePictures(await urlOf(gateway.stdout));
} finally {
  const ended = new Promise((resolve) => {
    gateway.once('exit', resolve);
  });
  gateway.kill('SIGTERM');
  await ended;
  await rm(scratch, { recursive: true, force: true });
}

function captured(pattern: RegExp): string {
  const [, found] = pattern.exec(readme) ?? [];
  if (found === undefined) throw new Error(`README.md does not match ${pattern.source}`);
  return found;
}

/** Returns the URL that the gateway prints. @throws {Error} if it prints none */
async function urlOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /"GraphQL gateway":"([^"]+)"/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the gateway did not start');
}

async function takePictures(playground: string): Promise<void> {
  const browser = await chromium.launchPersistentContext(join(scratch, 'profile'), {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const { values, positionals: names } = parseArgs({
      options: {
        states: { type: 'boolean' },
        person: { type: 'string' },
        language: { type: 'string' },
      },
      allowPositionals: true,
    });
    if (values.states) {
      const url = new URL('/', playground).href;
      const { person, language } = values;
      browser.setDefaultTimeout(15_000);
      const directory = pathOf('../.pictures');
      await takePicturesOfStates(browser, { url, directory, names, person, language });
      return;
    }
    const page = await browser.newPage();
    await showInbox(page, new URL('/', playground).href);
    await page.reload(); // the first requests of a gateway take longer
    await page.locator('tbody a').first().waitFor();
    const calls = page.getByRole('button', { name: 'REST calls' });
    await calls.click();
    await saveInBothSchemes(page, 'inbox');
    await calls.click();
    await page.locator('tbody a').first().click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor(); // after the values
    await saveInBothSchemes(page, 'document');
    await showResult(page, playground);
    await saveInBothSchemes(page, 'playground');
  } finally {
    await browser.close();
  }
}

/** Saves a picture that stays the same for a second: nothing says that the viewer has drawn a PDF. */
async function save(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  let last: Buffer | null = null;
  for (;;) {
    const picture = await page.screenshot({ scale: 'css' });
    if (last?.equals(picture)) break;
    last = picture;
    await setTimeout(1000);
  }
  await writeFile(pathOf(`../docs/images/${name}.png`), last);
}

async function saveInBothSchemes(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await save(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await save(page, name);
}

async function showInbox(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('tbody a').first().waitFor();
}

/** Runs the README's query in the playground. */
async function showResult(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('.editors .view-line').first().waitFor();
  await page.keyboard.press('Control+A');
  // On one line, because the editor would indent each line again.
  await page.keyboard.insertText(query.replaceAll(/\s+/g, ' ').trim());
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete'); // remove the brackets that the editor has inserted
  await page.getByRole('button', { name: 'Format' }).click();
  await page.locator('.tab', { hasText: 'Inbox' }).waitFor(); // the editor has parsed the query
  await page.locator('.cost', { hasText: 'REST' }).waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.result .view-lines', { hasText: shownId }).waitFor();
  await page.keyboard.press('Escape');
}
