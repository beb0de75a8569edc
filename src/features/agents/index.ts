import type { Settings } from '../../config/read-config.ts';
import { onOff, type ValuesOf } from '../../config/setting-parsers.ts';
import { nodeCodeOf } from '../../model/common.ts';
import { defineFeature } from '../../server/feature.ts';
import type { persistedDocuments } from '../persisted-documents/index.ts';

type PersistedDocuments = ValuesOf<NonNullable<typeof persistedDocuments.settings>>;

export const agents = defineFeature({
  name: 'agents',
  settings: {
    mcp: onOff(
      'MCP',
      false,
      'Serve trusted documents with a description as tools of agents at /mcp (Model Context Protocol).',
      'to on, for agents',
    ),
  },
  problems({ mcp, identityMode }, isSet) {
    if (!mcp) return [];
    const needed = [
      'PERSISTED_DOCUMENTS',
      // A token for any other service must not reach a tool, and agents have to find the issuer.
      ...(identityMode === 'jwt' && !isSet('JWT_JWKS_URL') ? ['JWT_ISSUER', 'JWT_AUDIENCE'] : []),
    ];
    return needed.filter((name) => !isSet(name)).map((name) => `${name} is required with MCP=on`);
  },
  warnings({ mcp, identity: { mode }, dmsUrl }) {
    if (!mcp || mode === 'jwt') return [];
    if (mode === 'passthrough') {
      return [
        'MCP=on with IDENTITY=passthrough sends the tokens of agents on to the DMS, which the protocol forbids: use IDENTITY=jwt',
      ];
    }
    if (dmsUrl === null) return [];
    return ['MCP=on with IDENTITY=service lets every agent act as the service account'];
  },
  async open(settings: Settings & PersistedDocuments & { mcp: boolean }, host) {
    if (!settings.mcp || settings.persistedDocuments === null) return null;
    const { createAgents } = await importAgents();
    const { trustedDocumentsOf } = await import('../persisted-documents/trusted-documents.ts');
    const { entries } = await trustedDocumentsOf(host, settings.persistedDocuments);
    return createAgents(settings, entries, host.log);
  },
});

/** The package is not installed by default, because its 17 MB are of no use without agents. */
async function importAgents() {
  try {
    return await import('./mcp-endpoint.ts');
  } catch (cause) {
    if (nodeCodeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const name = '@modelcontextprotocol/server';
    const message = `MCP=on needs the package ${name}, which is not installed. Run \`npm install ${name}@2.4.0\`.`;
    throw new Error(message, { cause });
  }
}
