import type { Settings } from '../../config/read-config.ts';
import { messageOf, printableLines } from '../../model/common.ts';
import { Dms, RestError } from '../../rest/index.ts';
import type { CommandHost } from '../../server/command.ts';
import { createCommandBudget, createCommandCaller, openDmsClient } from './dms-client.ts';

const hints: Readonly<Record<string, string>> = {
  UNAUTHENTICATED:
    'The DMS rejects the credential. Set IDENTITY=service and DMS_AUTHORIZATION for this command.',
  FORBIDDEN: 'Reading forms requires the role elAdminDocsR.',
};

/**
 * Prints all active forms, which are the file of the option `forms`.
 *
 * @returns whether they could be read and written
 */
export async function printForms(settings: Settings, host: CommandHost): Promise<boolean> {
  try {
    const text = await readFormsOfDms(settings, host);
    await host.write(text);
    if (text === '[]\n') process.stderr.write('The DMS lists no forms for this account or user.\n');
    return true;
  } catch (error) {
    process.stderr.write(printableLines(`The forms cannot be read: ${messageOf(error)}\n`));
    return false;
  }
}

/**
 * Reads all active forms of the DMS of the settings, or of a newly seeded sandbox, with the credential of the gateway.
 *
 * @returns the file of the option `forms`
 * @throws saying what to do, without text of the DMS
 */
export async function readFormsOfDms(settings: Settings, host: CommandHost): Promise<string> {
  await using opened = await openDmsClient(settings, host);
  const { http, credential } = opened;
  try {
    const dms = new Dms(http, createCommandCaller(credential, host.runAs), createCommandBudget());
    return `${JSON.stringify(await dms.forms.asSent(), null, 2)}\n`;
  } catch (cause) {
    if (!(cause instanceof RestError)) throw cause;
    const { code, request, status } = cause;
    const outcome = `${request}: ${status === null ? code : `status ${status}`}`;
    throw new Error([outcome, hints[code] ?? []].flat().join('. '), { cause });
  }
}
