import { readFileSync } from 'node:fs';
import GithubSlugger from 'github-slugger';
import { describe, expect, it } from 'vitest';
import { alerts } from './alerts.ts';

describe('deploy/alerts.yaml', () => {
  it('names a section of docs/alerts.md in each alert', () => {
    const page = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8');
    const slugger = new GithubSlugger();
    const sections = [...page.matchAll(/^### (.*)$/gm)].map(([, title]) => slugger.slug(title!));
    expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(
      sections.map((section) => `docs/alerts.md#${section}`),
    );
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
      expect(annotations.summary).toMatch(/\.$/);
      expect(['critical', 'warning']).toContain(labels.severity);
    }
  });
});
