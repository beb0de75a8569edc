import type { Config } from '../../config/read-config.ts';
import { CancelToken } from '../../rest/client/cancellation.ts';
import { sendRequest, Pool } from '../../rest/client/send-request.ts';
import { openCommandDms, type CommandDms } from '../dms-client.ts';
import { unreachableReason } from '../managed-dms.ts';
import { checkApi, type CheckResult } from './api.ts';

const maxClockDifferenceMs = 5000;

/**
 * Checks the DMS of the settings, or a newly seeded sandbox. Sends only reads, one at a time. A failed connection or
 * credential is the last result, because nothing else can succeed.
 *
 * @param runAs the user for whom the gateway will read. Null: the service account alone
 * @param write receives one line for each check
 * @returns whether none has failed
 */
export async function checkDms(
  config: Config,
  runAs: string | null,
  write: (line: string) => void,
): Promise<boolean> {
  await using dms = await openCommandDms(config);
  let isUsable = true;
  for await (const { status, name, text } of checks(dms, config, runAs)) {
    write(`${status.padEnd(4)}  ${name.padEnd(15)}  ${text}\n`);
    isUsable &&= status !== 'fail';
  }
  return isUsable;
}

async function* checks(
  { url, http, credential }: CommandDms,
  { dmsTimeoutMs, runAsHeader }: Config,
  runAs: string | null,
): AsyncGenerator<CheckResult> {
  const connection = await checkConnection(url);
  yield connection;
  if (connection.status === 'fail') return;
  yield await checkClock(url, dmsTimeoutMs);
  yield* checkApi(http, { credential, runAs, runAsHeader });
}

async function checkConnection(url: string): Promise<CheckResult> {
  const name = 'connection';
  const { host, protocol } = new URL(url);
  const reason = await unreachableReason(url);
  if (reason !== null) {
    return { status: 'fail', name, text: `${host}: ${reason}. ${connectionHint(reason)}` };
  }
  const certificate = protocol === 'https:' ? ', its certificate is trusted' : '';
  return { status: 'ok', name, text: `${host} is reachable${certificate}` };
}

function connectionHint(reason: string): string {
  if (/^E(?:NOTFOUND|AI_)/.test(reason)) return 'Check the host name in DMS_URL, and DNS.';
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(reason)) {
    return 'Check the certificate of the DMS. For a private authority, set NODE_EXTRA_CA_CERTS to its file.';
  }
  if (/SSL|EPROTO/.test(reason)) return 'Check whether the port in DMS_URL accepts https.';
  return 'Check host and port in DMS_URL, and firewalls.';
}

/** Reads the base URL without a credential, as /readyz does: another clock can be the reason why one is rejected. */
async function checkClock(url: string, timeoutMs: number): Promise<CheckResult> {
  const name = 'clock';
  const differenceMs = await clockDifferenceMs(url, timeoutMs);
  if (differenceMs === null) {
    return { status: 'skip', name, text: 'Unknown without a Date header. Synchronize the clocks.' };
  }
  const text = `the clocks differ by ${Math.round(differenceMs / 1000)} s`;
  if (differenceMs <= maxClockDifferenceMs) return { status: 'ok', name, text };
  const hint = 'Synchronize them: a token of DMS_ACCOUNT_KEY is valid for 5 minutes.';
  return { status: 'warn', name, text: `${text}. ${hint}` };
}

/** Null if the DMS does not tell its time. */
async function clockDifferenceMs(url: string, timeoutMs: number): Promise<number | null> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 1 });
  const path = `${pathname.replace(/\/+$/, '')}/`;
  try {
    const { headers } = await sendRequest(
      pool,
      { origin, method: 'GET', path, headers: ['accept', '*/*'] },
      { timeoutMs, maxBytes: 2 ** 20, expectsBody: false, cancelToken: new CancelToken() },
    );
    const differenceMs = Math.abs(Date.parse(headers.date ?? '') - Date.now());
    return Number.isNaN(differenceMs) ? null : differenceMs;
  } catch {
    return null; // the next check reports it
  } finally {
    await pool.destroy();
  }
}
