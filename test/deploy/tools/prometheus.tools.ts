import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { alerts } from '../alerts.ts';

const promtool = (...args: readonly string[]): string => execFileSync('promtool', args).toString();
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe('promtool', () => {
  it('accepts the configuration and its rules', () => {
    const output = promtool('check', 'config', path('../../../deploy/prometheus.yaml'));
    expect(output).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it('lets each alert fire when it should, and not before', () => {
    expect(promtool('test', 'rules', path('./alerts.promtool.yaml'))).toContain('SUCCESS');
  });
});
