import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { createSandboxInbox } from '../../src/features/sandbox-inbox/inbox-endpoints.ts';
import { startGatewayBefore, type TestGatewayOptions } from '../helpers/gateway.ts';

export interface InboxOptions {
  /** Lifetime of the tokens of the sandbox's people, in seconds. */
  readonly tokenLifetimeS?: number;
  /** Whether the people can sign in. Default true. */
  readonly signIn?: boolean;
  /** Whether the gateway knows the forms of the sandbox, as with `npm start`. Default true. */
  readonly forms?: boolean;
  readonly server?: TestGatewayOptions['server'];
  readonly http?: TestGatewayOptions['http'];
  /** Returns the address of the DMS for the gateway, such as that of a proxy. Default: the sandbox itself. */
  readonly route?: (sandboxUrl: string) => string | Promise<string>;
}

/** Starts a sandbox, and a gateway that serves the built inbox. `requests` are those that the sandbox received. */
export async function startInbox(options: InboxOptions = {}) {
  const requests: string[] = [];
  const sandbox = await startSandbox({ onRequest: (line) => requests.push(line) });
  onTestFinished(() => sandbox.close());
  const { authorization } = sandbox;
  const { tokenLifetimeS: lifetimeS, signIn = true, forms = true, route } = options;
  const url = (await route?.(sandbox.url)) ?? sandbox.url;
  const tokens = { url: sandbox.url, authorization, tokenSecret: randomUUID() };
  const people = signIn ? { ...tokens, ...(lifetimeS && { lifetimeS }) } : null;
  const gateway = await startGatewayBefore(url, {
    server: {
      credential: { kind: 'fixed', authorization },
      ...options.server,
    },
    ...(options.http && { http: options.http }),
    ...(forms && { parts: { sandboxForms: sandbox.forms } }),
    features: [
      { name: 'inbox', open: async () => createSandboxInbox({ sandboxSignIn: 'local' }, people) },
    ],
  });
  return { ...gateway, requests };
}

/** Opens the form of a new document. Until it is shown, the list is, whose filter has the same label as the form. */
export async function openNewDocument(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New document' }).click();
  await page.getByRole('heading', { name: 'New document' }).waitFor();
}

/** Pastes a text into an input with the keys, such as cells of a spreadsheet. */
export async function paste(input: Locator, text: string): Promise<void> {
  const page = input.page();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await input.focus();
  await page.keyboard.press('Control+V');
}

/** Stops the clock of the page: what waits for undo waits until the clock is run. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Sends the actions that wait for undo, as before the page ends. */
export async function sendWaiting(page: Page): Promise<void> {
  await page.locator('.toast').waitFor();
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
}

/** Holds the requests of an operation until the returned function is called. */
export async function holdRequests(page: Page, operation: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(operation)) await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Whether the browser would ask before the page ends. */
export async function asksBeforeEnd(page: Page): Promise<boolean> {
  return page.evaluate(
    () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  );
}

/** Turns a value of a document into its input. */
export async function edit(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: `Change ${label}`, exact: true }).click();
}

/** Selects an object of a form by its name. */
export async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('listbox').getByRole('option', { name }).click();
}

/**
 * Complaints other than those of leaving: Apollo Client closes a response after its last part, and a page that is left
 * closes the PDF viewer of the browser.
 */
export const unexpected = (complaints: readonly string[], url: string): string[] =>
  complaints.filter(
    (one) =>
      one !== `request failed: ${url}/graphql` &&
      !/^request failed: (?:blob:)?chrome(?:-extension)?:/.test(one),
  );
