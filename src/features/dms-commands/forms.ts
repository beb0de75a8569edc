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
