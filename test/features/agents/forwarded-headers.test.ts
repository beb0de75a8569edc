import { expect, it } from 'vitest';
import { sendPlain, startDirectionsDms } from '../../helpers/directions.ts';
import { startGatewayBefore } from '../../helpers/gateway.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';
import { connectMcp, type Revision } from './mcp-client.ts';

it.each<Revision>(['modern', 'legacy'])(
  'FORWARD_HEADERS is part of the calls of a tool, and of the key of its caller (%s)',
  async (revision) => {
    const dms = await startDirectionsDms(sendPlain);
    const persistedDocuments = writeManifest({
      Person: `# Reads a person.\nquery Person { person(id: "usr-ann") { firstName } }`,
    });
    const gateway = await startGatewayBefore(dms.url, {
      server: { mcp: true, persistedDocuments, forwardHeaders: ['x-tenant'] },
      http: { cacheTtlMs: 60_000 },
    });
    for (const value of ['north', 'south', 'north']) {
      const client = await connectMcp(gateway.url, { 'x-tenant': value }, revision);
      expect(await client.call('Person')).toMatchObject({
        data: { person: { firstName: 'Änne' } },
      });
    }
    expect(dms.headers.map((headers) => headers['x-tenant'])).toEqual(['north', 'south']);
  },
);
