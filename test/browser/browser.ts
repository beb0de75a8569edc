import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export interface Visit {
  readonly browser: BrowserContext;
  readonly page: Page;
  /** URLs outside its own origin that the page requested. */
  readonly outside: string[];
  /** Errors in the console, exceptions, and failed requests of the page. */
  readonly complaints: string[];
}

export interface BrowserOptions {
  /** The size of text that the user has chosen, in pixels. Default 16. */
  readonly fontSize?: number;
  /** Whether the browser shows PDFs. Default false: Chromium without windows takes half the CPU time. */
  readonly showsPdf?: boolean;
}

const launched = new Map<string, Promise<Browser>>();

/** Debian's Chromium, without background traffic. It ends with the process of the tests. */
function launch({ fontSize = 16, showsPdf = false }: BrowserOptions): Promise<Browser> {
  const name = showsPdf ? 'chromium' : 'chromium-headless-shell';
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? `/usr/bin/${name}`,
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
}

/** Opens a page with storage of its own. */
export async function visit(origin: string, options: BrowserOptions = {}): Promise<Visit> {
  const key = JSON.stringify(options);
  const running = launched.get(key) ?? launch(options);
  launched.set(key, running);
  const browser = await (await running).newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => browser.close());
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

/** Drags a file over the page and drops it there, and returns for each of both whether the page keeps its place. */
export async function dropFile(page: Page): Promise<boolean[]> {
  return page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['%PDF-1.7'], 'offer.pdf'));
    const options = { bubbles: true, cancelable: true, dataTransfer };
    return ['dragover', 'drop'].map(
      (type) => !document.body.dispatchEvent(new DragEvent(type, options)),
    );
  });
}
