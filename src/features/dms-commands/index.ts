import { defineFeature } from '../../server/feature.ts';

export const dmsCommands = defineFeature({
  name: 'dms-commands',
  commands: [
    {
      name: 'check',
      description:
        'checks the DMS of the settings with reads only, and exits with 1 if the gateway cannot use it',
      runAs: 'also reads for this user',
      async run(settings, host) {
        const { checkDms } = await import('./check.ts');
        return checkDms(settings, host);
      },
    },
    {
      name: 'forms',
      description: 'prints the forms of the DMS, for the option forms of the configuration file',
      runAs: 'reads as this user',
      writesFile: true,
      async run(settings, host) {
        const { printForms } = await import('./forms.ts');
        return printForms(settings, host);
      },
    },
  ],
});
