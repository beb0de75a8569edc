import type { Settings } from '../../config/read-config.ts';
import { printableLines } from '../../model/common.ts';
import { type DmsAnswer, httpDateMs, probeDms } from '../../rest/index.ts';
import type { CheckResult, CommandHost } from '../../server/command.ts';
import { checkApi } from './check-api.ts';
import { checkAddresses, checkIssuer } from './check-network.ts';
import { openDmsClient, type DmsClient } from './dms-client.ts';

const maxClockDifferenceMs = 5000;

/**
 * Checks the DMS of the settings, or a newly seeded sandbox, and the services of features. Sends only reads to the
 * DMS, one at a time. A failed connection or credential is the last result, because nothing else can succeed.
 */
export async function checkDms(settings: Settings, host: CommandHost): Promise<boolean> {
  await using dms = await openDmsClient(settings, host);
  let isUsable = true;
  for await (const { status, name, text } of checks(dms, settings, host.runAs)) {
    await host.write(printableLines(`${status.padEnd(4)}  ${name.padEnd(15)}  ${text}\n`));
    isUsable &&= status !== 'fail';
  }
  return isUsable;
}

async function* checks(
  { dmsUrl: url, http, tls, certificates, credential, checkServices }: DmsClient,
  settings: Settings,
  runAs: string | null,
): AsyncGenerator<CheckResult> {
  const { runAsHeader, warnings, dmsProxy } = settings;
  for (const text of warnings) yield { status: 'warn', name: 'settings', text };
  for (const { text, problem } of certificates) {
    const name = 'certificates';
    yield problem === null
      ? { status: 'ok', name, text }
      : { status: 'warn', name, text: `${text}: ${problem}. Replace it.` };
  }
  yield* checkIssuer(settings, tls['issuer']);
  yield* checkServices();
  const answer = await probeDms(url, tls['dms'], dmsProxy);
  const connection = connectionResult(url, answer, dmsProxy);
  yield connection;
  if (connection.status === 'fail') return;
  yield* checkAddresses(url, settings);
  yield clockResult(answer);
  yield* checkApi(http, { credential, runAs, runAsHeader });
}

function connectionResult(
  url: string,
  { reason, certificate }: DmsAnswer,
  proxy: string | null,
): CheckResult {
  const name = 'connection';
  const through = proxy === null ? '' : ` through the proxy ${new URL(proxy).origin}`;
  const host = `${new URL(url).host}${through}`;
  if (reason === null) return { status: 'ok', name, text: `${host} is reachable` };
  const found = certificate === undefined ? '' : ` (${certificate})`;
  return { status: 'fail', name, text: `${host}: ${reason}${found}. ${connectionHint(reason)}` };
}

function connectionHint(reason: string): string {
  if (reason.startsWith('proxy: ')) {
    return 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and whether the proxy allows the port.';
  }
  if (/^E(?:NOTFOUND|AI_)/.test(reason)) return 'Check the host name in DMS_URL, and DNS.';
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(reason)) {
    return 'Check the certificate of the DMS. For a private authority, set DMS_CA_FILE to its file. For another name, set DMS_TLS_SERVER_NAME.';
  }
  if (reason.includes('rejects the client certificate')) {
    return 'Check DMS_CLIENT_CERT_FILE, and which authorities the DMS trusts.';
  }
  if (reason.includes('client certificate')) {
    return 'Set DMS_CLIENT_CERT_FILE and DMS_CLIENT_KEY_FILE.';
  }
  if (reason.includes('HTTP/')) {
    return 'The gateway speaks HTTP/1.1: enable it in the DMS, and check the port in DMS_URL.';
  }
  if (/SSL|EPROTO/.test(reason)) return 'Check whether the port in DMS_URL accepts https.';
  return 'Check host and port in DMS_URL, and firewalls.';
}

function clockResult({ date }: DmsAnswer): CheckResult {
  const name = 'clock';
  const timeMs = date === null ? null : httpDateMs(date);
  if (timeMs === null) {
    return { status: 'skip', name, text: 'Unknown without a Date header. Synchronize the clocks.' };
  }
  const differenceMs = Math.abs(timeMs - Date.now());
  const text = `the clocks differ by ${Math.round(differenceMs / 1000)} s`;
  if (differenceMs <= maxClockDifferenceMs) return { status: 'ok', name, text };
  const hint = 'Synchronize them: a token of DMS_ACCOUNT_KEY is valid for 5 minutes.';
  return { status: 'warn', name, text: `${text}. ${hint}` };
}
