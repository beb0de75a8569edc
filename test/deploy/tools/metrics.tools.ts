/** @module-tag nightly */
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorCodes } from '../../../src/model/error-codes.ts';
import { createMetrics } from '../../../src/server/telemetry/metrics.ts';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';
import { alerts, readExpression } from '../alerts.ts';

/** Labels that Prometheus adds to every sample. */
const ofPrometheus = ['job', 'instance'];

/** Values of labels by metric and label. A metric without samples has no labels. */
type Found = Map<string, Map<string, Set<string>>>;

function readSamples(text: string): Found {
  const found: Found = new Map();
  const addTo = (metric: string): Map<string, Set<string>> => {
    const labels = found.get(metric) ?? new Map<string, Set<string>>();
    found.set(metric, labels);
    return labels;
  };
  for (const line of text.split('\n')) {
    const [, declared, kind] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (declared !== undefined && kind !== 'histogram') addTo(declared);
    const [, metric, pairs = ''] = /^([a-z_]+)(?:\{(.*)\})? /i.exec(line) ?? [];
    if (metric === undefined) continue;
    const labels = addTo(metric);
    for (const [, name = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(name, (labels.get(name) ?? new Set()).add(value));
    }
  }
  return found;
}

/** The metrics of a gateway that has had successful and failed requests, and retries. */
async function scrape(): Promise<Found> {
  const dms = await startFailingDms((request, response) => {
    if (request.url?.includes('usr-bad')) response.writeHead(503);
    response.end('{"_id_sys":"usr-ann","email":"x"}');
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  const url = await addressOf(spawnGateway({ DMS_URL: dms.url, DMS_RETRIES: '1' }));
  const operations = [
    '{ person(id: "usr-ann") { email } }',
    '{ person(id: "usr-bad") { email } }',
    'mutation { updatePerson(input: { id: "usr-ann", firstName: "x" }) { __typename } }',
  ];
  for (const query of operations) {
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  }
  // No short test can fill a queue of 16384 calls, or wait for 10 s.
  const metrics = createMetrics({ process: false });
  metrics.observer.callRefused('full');
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map([...readSamples(await metrics.text()), ...readSamples(text)].filter(isLabelled));
}

/** Keeps a metric with labels if the same metric follows without. */
function isLabelled([name, labels]: [string, Map<string, unknown>]): boolean {
  return name !== 'gateway_upstream_calls_refused_total' || labels.size > 0;
}

describe('deploy/alerts.yaml', () => {
  it('uses only metrics, labels and values that a gateway has', async () => {
    const found = await scrape();
    expect(found.size).toBeGreaterThan(40);
    const outcomes = new Set<string>(['OK', ...Object.keys(errorCodes)]);
    for (const { alert, expr } of alerts) {
      const { metrics, labels, values } = readExpression(expr);
      const own = metrics.filter((name) => name !== 'up');
      expect([alert, own.filter((name) => !found.has(name))]).toEqual([alert, []]);
      const known = new Set([
        ...ofPrometheus,
        ...own.flatMap((name) => [...found.get(name)!.keys()]),
      ]);
      expect([alert, labels.filter((name) => !known.has(name))]).toEqual([alert, []]);
      for (const [label, wanted] of Object.entries(values)) {
        if (label === 'job') expect(wanted).toEqual(['dms-gateway']);
        else if (label === 'outcome')
          expect(wanted.filter((code) => !outcomes.has(code))).toEqual([]);
        else if (label === 'status')
          expect(
            wanted.filter((status) => !/^[1-5]\d\d$/.test(status) && !outcomes.has(status)),
          ).toEqual([]);
        else {
          const seen = own.flatMap((name) => [...(found.get(name)!.get(label) ?? [])]);
          expect(seen).toEqual(expect.arrayContaining([...wanted]));
        }
      }
    }
  });
});
