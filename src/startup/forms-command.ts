import type { Config } from '../config/read-config.ts';
import { RestError } from '../rest/client/rest-error.ts';
import { Dms } from '../rest/resources/dms.ts';
import { createCommandBudget, createCommandCaller, openCommandDms } from './dms-client.ts';

const hints: Readonly<Record<string, string>> = {
  UNAUTHENTICATED:
    'The DMS rejects the credential. Set IDENTITY=service and DMS_AUTHORIZATION for this command.',
  FORBIDDEN: 'Reading forms requires the role elAdminDocsR.',
};

/**
 * Reads all active forms of the DMS of the settings, or of a newly seeded sandbox, with the credential of the gateway.
 *
 * @param runAs the user who reads them. Null: the service account
 * @returns the file of the option `forms`
 * @throws saying what to do, without text of the DMS
 */
export async function readFormsOfDms(config: Config, runAs: string | null): Promise<string> {
  await using opened = await openCommandDms(config);
  const { http, credential } = opened;
  try {
    const dms = new Dms(http, createCommandCaller(credential, runAs), createCommandBudget());
    return `${JSON.stringify(await dms.forms.asSent(), null, 2)}\n`;
  } catch (cause) {
    if (!(cause instanceof RestError)) throw cause;
    const { code, request, status } = cause;
    const outcome = `${request}: ${status === null ? code : `status ${status}`}`;
    throw new Error([outcome, hints[code] ?? []].flat().join('. '), { cause });
  }
}
