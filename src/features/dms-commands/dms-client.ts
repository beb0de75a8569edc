import type { Settings } from '../../config/read-config.ts';
import type { Credential } from '../../model/identity.ts';
import { type Caller, HttpClient, RequestBudget } from '../../rest/index.ts';
import type { CommandDms, CommandHost } from '../../server/command.ts';
import { createServiceAccount } from '../../server/identity/service-account.ts';

export interface DmsClient extends CommandDms {
  readonly http: HttpClient;
  readonly credential: Credential | null;
}

export async function openDmsClient(settings: Settings, host: CommandHost): Promise<DmsClient> {
  const dms = await host.openDms();
  const { dmsUrl, tls, sandbox } = dms;
  const http = new HttpClient({
    baseUrl: dmsUrl,
    tls: tls['dms'],
    proxy: settings.dmsProxy,
    runAsHeader: settings.runAsHeader,
    timeoutMs: settings.dmsTimeoutMs,
    retries: 0,
    connections: 1,
    transferConnections: 1,
    fairShare: false,
    projection: true,
    compression: settings.compression,
    cacheTtlMs: 0,
  });
  return {
    ...dms,
    http,
    credential: sandbox
      ? { kind: 'fixed', authorization: sandbox.authorization }
      : settings.credential,
    async [Symbol.asyncDispose]() {
      await http.close(0);
      await dms[Symbol.asyncDispose]();
    },
  };
}

export function createCommandCaller(credential: Credential | null, runAs: string | null): Caller {
  const account = credential && createServiceAccount(credential);
  return { ...(account ?? { authorization: null }), key: runAs ?? '', runAs };
}

export function createCommandBudget(): RequestBudget {
  return new RequestBudget({
    requestId: 'command',
    signal: new AbortController().signal,
    timeoutMs: 3_600_000,
    maxCalls: 100,
    maxInFlight: 1,
  });
}
