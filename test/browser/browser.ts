import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export interface Visit {
  readonly browser: BrowserContext;
  readonly page: Page;
  /** Addresses that the page asked for elsewhere than at its own origin. */
  readonly outside: string[];
  /** What the page complained about: errors in the console, exceptions, and requests that failed. */
  readonly complaints: string[];
}

/** Debian's Chromium, with nothing kept from an earlier visit and no traffic of its own. */
export async function visit(origin: string): Promise<Visit> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    viewport: { width: 1280, height: 800 },
    args: [
      '--no-sandbox', // the tests may run as root, whom it refuses to serve with one
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  onTestFinished(async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  });
  const page = await browser.newPage();
  const outside: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url().replace(/^blob:/, '');
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) outside.push(url);
  });
  page.on('requestfailed', (request) => complaints.push(`request failed: ${request.url()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return { browser, page, outside, complaints };
}
