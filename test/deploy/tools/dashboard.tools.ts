/** @module-tag nightly */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { freePort } from '../../helpers/free-port.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';
import { readDeployFile } from '../compose.ts';

interface Panel {
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(readDeployFile('grafana-dashboard.json')) as {
  panels: readonly Panel[];
};

interface Query {
  readonly expr: string;
  /** Labels that the legend shows. */
  readonly labels: readonly string[];
}

/** The queries of all panels, with values of Grafana's variables. */
const queries: readonly Query[] = panels.flatMap(({ targets }) =>
  targets.map(({ expr, legendFormat }) => ({
    expr: expr.replaceAll('$job', 'dms-gateway').replaceAll('$__rate_interval', '10s'),
    labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
  })),
);

const manifest = {
  person: 'query Person { person(id: "usr-ann") { email } }',
  failing: 'query Failing { person(id: "usr-bad") { email } }',
};

/** Starts a DMS that answers all but two persons: one fails, and requests for the other never end. */
async function startDms(): Promise<string> {
  const dms = await startFailingDms(({ url = '' }, response) => {
    if (url.endsWith('usr-silent')) return;
    if (url.endsWith('usr-bad')) response.writeHead(503);
    response.end(url.includes('/file/') ? 'bytes' : '{"_id_sys":"usr-ann","email":"x"}');
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  return dms.url;
}

/** Starts Prometheus, which requests the metrics of these gateways every second. */
async function startPrometheus(gateways: readonly string[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const targets = gateways.map((url) => new URL(url).host);
  const job = { job_name: 'dms-gateway', scrape_interval: '1s', static_configs: [{ targets }] };
  writeFileSync(join(directory, 'prometheus.yaml'), JSON.stringify({ scrape_configs: [job] }));
  const address = `127.0.0.1:${await freePort()}`;
  const options = [
    `--config.file=${directory}/prometheus.yaml`,
    `--storage.tsdb.path=${directory}/data`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn('prometheus', options, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });
  return `http://${address}`;
}

/** Whether a query has a sample with a number and the labels of its legend. False while Prometheus starts. @throws if the query is invalid */
async function hasSamples(prometheus: string, { expr, labels }: Query): Promise<boolean> {
  const url = `${prometheus}/api/v1/query?query=${encodeURIComponent(expr)}`;
  const response = await fetch(url).catch(() => null);
  if (response === null || response.status === 503) return false;
  const { status, error, data } = (await response.json()) as {
    status: string;
    error?: string;
    data: { result: readonly { metric: object; value: readonly [number, string] }[] };
  };
  if (status !== 'success') throw new Error(`${expr}: ${error}`);
  return data.result.some(
    ({ metric, value }) =>
      Number.isFinite(Number(value[1])) && labels.every((label) => Object.hasOwn(metric, label)),
  );
}

function post(url: string, params: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(params) });
}

it('has samples for every query, with traffic', async () => {
  const DMS_URL = await startDms();
  const PERSISTED_DOCUMENTS = writeManifest(manifest);
  const url = await addressOf(spawnGateway({ DMS_URL, PERSISTED_DOCUMENTS, DMS_RETRIES: '1' }));
  // The second call gets no connection within 10 s.
  const busy = await addressOf(spawnGateway({ DMS_URL, DMS_CONNECTIONS: '1' }));
  const prometheus = await startPrometheus([url, busy]);
  for (const query of ['silent', 'ann'].map((name) => `{ person(id: "usr-${name}") { email } }`)) {
    post(busy, { query }).catch(() => {}); // the test ends before the first one
  }
  const traffic = (): Promise<unknown> =>
    Promise.all([
      ...Object.keys(manifest).map((documentId) => post(url, { documentId })),
      fetch(`${url}/files/documents/a/b`).then((response) => response.text()),
    ]);
  let missing = queries;
  const withoutSamples = async (): Promise<readonly Query[]> => {
    await traffic();
    const found = await Promise.all(missing.map((query) => hasSamples(prometheus, query)));
    missing = missing.filter((_, at) => !found[at]);
    return missing;
  };
  await expect.poll(withoutSamples, { timeout: 50_000, interval: 500 }).toEqual([]);
}, 60_000);
