import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export interface Visit {
  readonly browser: BrowserContext;
  readonly page: Page;
  /** URLs outside its own origin that the page requested. */
  readonly outside: string[];
  /** Errors in the console, exceptions, and failed requests of the page. */
  readonly complaints: string[];
}

/**
 * Opens a page in Debian's Chromium, with a new profile and no background traffic.
 *
 * @param fontSize the size of text that the user has chosen, in pixels
 */
export async function visit(origin: string, fontSize = 16): Promise<Visit> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    viewport: { width: 1280, height: 800 },
    args: [
      '--no-sandbox', // Chromium's sandbox does not work as root, and tests can run as root
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--blink-settings=defaultFontSize=${fontSize}`,
    ],
  });
  onTestFinished(async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  });
  browser.setDefaultTimeout(60_000); // a busy machine can need long for one step
  const page = await browser.newPage();
  const outside: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url().replace(/^blob:/, '');
    // The PDF viewer is a part of the browser.
    const isOwn = /^(?:data|chrome|chrome-extension):/.test(url) || url.startsWith(`${origin}/`);
    if (!isOwn) outside.push(url);
  });
  page.on('requestfailed', (request) => {
    // The page itself cancelled the request, for example because its component has gone.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    complaints.push(`request failed: ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return { browser, page, outside, complaints };
}
