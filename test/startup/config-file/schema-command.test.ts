/** @module-tag nightly */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';
import { spawnGateway } from '../../helpers/process.ts';
import { temporaryFile } from '../../helpers/temporary-directory.ts';

const dms = { DMS_URL: 'http://127.0.0.1:9' };

/** Runs the command `schema` until it ends. */
async function run(settings: Record<string, string>, ...flags: string[]) {
  const command = spawnGateway(settings, 'schema', ...flags);
  return { code: await command.exited, output: command.output() };
}

const configWith = (text: string): string =>
  temporaryFile('gateway.config.ts', `export default { ${text} };`);

const ownField =
  "schema: (builder) => builder.queryField('team', (t) => t.string({ resolve: () => '' }))";

describe('the command schema', () => {
  it('prints forms and fields of a configuration to a file, without settings that it does not need', async () => {
    const form = wireForm('memo', [customField('date', 'sent')]);
    const forms = `forms: { file: ${JSON.stringify(formsFile([form]))} }`;
    const config = configWith(`${forms}, ${ownField}, settings: { IDENTITY: 'jwt' }`);
    const out = join(dirname(config), 'schema.graphql');
    const settings = { MAX_BODY_BYTES: 'x', PORT: 'x' };
    expect(await run(settings, '--config', config, '--out', out)).toEqual({ code: 0, output: '' });
    const printed = readFileSync(out, 'utf8');
    expect(printed).toMatch(/type MemoFields \{[^}]+ sent: String\n/);
    expect(printed).toContain('  team: String!\n');
  });

  it('ends although the configuration file has opened something', async () => {
    const config = configWith(`context: (setInterval(() => {}, 1000), () => ({}))`);
    expect(await run(dms, '--config', config, '--out', '/dev/null')).toEqual({
      code: 0,
      output: '',
    });
  });
});
