import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/**
 * Checks the current state of a page with axe-core: WCAG 2.2 A and AA, and axe's best practices. Returns one line per
 * violation and element, with the rule, the element and what to fix; empty if there are none. Elements in frames, such
 * as the PDF viewer of the browser, are not checked.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // Not a script element: the policy of the page would block it.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    // Colours that change in a transition have no contrast of their own yet.
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))).then(() =>
      window.axe.run({ exclude: [['iframe']] }, { iframes: false, resultTypes: ['violations'] }),
    ),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}
