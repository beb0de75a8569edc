import { openedBy } from '../../config/read-config.ts';
import { oneOf } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

export const sandboxInbox = defineFeature({
  name: 'sandbox-inbox',
  settings: {
    sandboxSignIn: oneOf(
      'SANDBOX_SIGN_IN',
      'local',
      ['local', 'any'],
      'Clients that can get tokens of the people of the sandbox: those on this machine (local), or any.',
      'to any, for a demo in a container',
    ),
  },
  warnings(settings) {
    const { dmsUrl, identity, sandboxSignIn } = settings;
    if (dmsUrl !== null || identity.mode !== 'service' || sandboxSignIn === 'local') return [];
    const setting = openedBy(settings);
    if (setting === null) return [];
    return [
      `${setting} and SANDBOX_SIGN_IN=any let every client act as each person of the sandbox`,
    ];
  },
  async open(settings, { dmsUrl, sandbox }) {
    if (sandbox === null) return null;
    const { createSandboxInbox } = await import('./inbox-endpoints.ts');
    const hasSignIn = settings.identity.mode === 'service';
    return createSandboxInbox(settings, hasSignIn ? { url: dmsUrl, ...sandbox } : null);
  },
});
