import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../../src/index.ts';
import { customField, formsFile, wireForm } from '../helpers/forms.ts';
import { printedBy, spawnGateway } from '../helpers/process.ts';
import { temporaryDirectory, temporaryFile } from '../helpers/temporary-directory.ts';

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

const nightly = { tags: ['nightly'] };

describe('the command schema', () => {
  it(
    'prints what the gateway serves on the sandbox, and says that it has its forms',
    nightly,
    async () => {
      await using gateway = await startGateway();
      const served = await (await fetch(`${gateway.url}/schema.graphql`)).text();
      expect(await printedBy('schema')).toBe(served);
      const { output } = await run({}, '--out', '/dev/null');
      expect(output).toBe('The schema has the forms of the sandbox, because DMS_URL is not set.\n');
    },
  );

  it('prints the committed schema for any other DMS', async () => {
    const committed = readFileSync('schema.graphql', 'utf8');
    expect(await run(dms)).toEqual({ code: 0, output: committed });
    // The script that writes it has the same arguments.
    const directory = temporaryDirectory();
    const out = join(directory, 'schema.graphql');
    const args = ['scripts/print-schema.ts', '--out', out];
    const env = { PATH: process.env['PATH'], ...dms };
    expect(spawnSync(process.execPath, args, { env }).status).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(committed);
  });

  it('ends with 1 if the file cannot be written', async () => {
    const { code, output } = await run(dms, '--out', '/nowhere/schema.graphql');
    expect(code).toBe(1);
    expect(output).toContain('/nowhere/schema.graphql');
  });

  it(
    'prints forms and fields of a configuration to a file, without settings that it does not need',
    nightly,
    async () => {
      const form = wireForm('memo', [customField('date', 'sent')]);
      const forms = `forms: { file: ${JSON.stringify(formsFile([form]))} }`;
      const config = configWith(`${forms}, ${ownField}, settings: { IDENTITY: 'jwt' }`);
      const out = join(dirname(config), 'schema.graphql');
      const settings = { MAX_BODY_BYTES: 'x', PORT: 'x' };
      expect(await run(settings, '--config', config, '--out', out)).toEqual({
        code: 0,
        output: '',
      });
      const printed = readFileSync(out, 'utf8');
      expect(printed).toMatch(/type MemoFields \{[^}]+ sent: String\n/);
      expect(printed).toContain('  team: String!\n');
    },
  );

  it('ends although the configuration file has opened something', nightly, async () => {
    const config = configWith(`context: (setInterval(() => {}, 1000), () => ({}))`);
    expect(await run(dms, '--config', config, '--out', '/dev/null')).toEqual({
      code: 0,
      output: '',
    });
  });
});
