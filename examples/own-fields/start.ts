import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { print } from 'graphql';
import { RisksDocument, type RisksQuery, type RisksQueryVariables } from './generated.ts';
import { createRiskService } from './risk-service.ts';

/*
 * Starts the risk service, and the gateway on its sandbox with `gateway.config.ts` on PORT (default 4000). Prints the
 * riskiest invoices. SIGINT and SIGTERM stop both.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const service = createRiskService((documents) => {
  process.stdout.write(`The risk service was asked for ${documents} documents at once.\n`);
});
service.listen(0, '127.0.0.1');
await once(service, 'listening');
const { port } = service.address() as AddressInfo;

const url = await startGateway(`http://127.0.0.1:${port}`);
const { documents } = await readRisks({ first: 20 });
const byRisk = documents.nodes.toSorted((a, b) => (b.risk?.score ?? 0) - (a.risk?.score ?? 0));
for (const { shortId, risk } of byRisk.slice(0, 5)) {
  process.stdout.write(`${shortId}: ${risk?.score} (${risk?.reasons.join(', ')})\n`);
}
process.stdout.write(`Gateway: ${url}/graphql\n`);

/** Starts the gateway as a process of its own. Both end together. Resolves with its URL when it accepts requests. */
function startGateway(riskUrl: string): Promise<string> {
  const config = fileURLToPath(new URL('gateway.config.ts', import.meta.url));
  const child = spawn(process.execPath, ['src/start.mjs', '--config', config], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, RISK_URL: riskUrl, LOG_LEVEL: 'warn' },
  });
  process.once('exit', () => child.kill());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill());
  child.once('exit', (code) => process.exit(code ?? 1));
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const [, found] = /"GraphQL gateway":"([^"]+)\/graphql"/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

async function readRisks(variables: RisksQueryVariables): Promise<RisksQuery> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(RisksDocument), variables }),
  });
  const { data, errors } = (await response.json()) as { data?: RisksQuery; errors?: unknown };
  if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}
