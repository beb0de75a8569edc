import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/server/telemetry/metrics.ts';
import { alerts } from '../alerts.ts';

const promtool = (...args: readonly string[]): string => execFileSync('promtool', args).toString();
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe('promtool', () => {
  it('accepts the configuration and its rules', () => {
    const output = promtool('check', 'config', path('../../../deploy/prometheus.yaml'));
    expect(output).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it('accepts the metrics of a gateway', async () => {
    const metrics = createMetrics({ process: true });
    metrics.observer.callFinished('GET', '/api/v2/docForm/{id}', 200, 12);
    execFileSync('promtool', ['check', 'metrics'], { input: await metrics.text() });
    expect(await metrics.text()).toContain('nodejs_active_handles{');
  });

  it('lets each alert fire when it should, and not before', () => {
    expect(promtool('test', 'rules', path('./alerts.promtool.yaml'))).toContain('SUCCESS');
  });
});
