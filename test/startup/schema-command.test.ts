import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../src/index.ts';
import { customField, formsFile, wireForm } from '../helpers/forms.ts';
import { printedBy, spawnGateway } from '../helpers/process.ts';

const dms = { DMS_URL: 'http://127.0.0.1:9' };

/** Runs the command `schema` until it ends. */
async function run(settings: Record<string, string>, ...flags: string[]) {
  const command = spawnGateway(settings, 'schema', ...flags);
  return { code: await command.exited, output: command.output() };
}

/** Writes a configuration file, which is removed when the test ends. */
function configWith(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'schema-command-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'gateway.config.ts');
  writeFileSync(
    path,
    `import { resolverError } from 'dms-graphql-gateway/schema'; export default { ${text} };`,
  );
  return path;
}

const ownField =
  "schema: (builder) => builder.queryField('team', (t) => t.string({ resolve: () => '' }))";

describe('the command schema', () => {
  it('prints what the gateway serves on the sandbox, and says that it has its forms', async () => {
    await using gateway = await startGateway();
    const served = await (await fetch(`${gateway.url}/schema.graphql`)).text();
    expect(await printedBy('schema')).toBe(served);
    const { output } = await run({}, '--out', '/dev/null');
    expect(output).toBe('The schema has the forms of the sandbox, because DMS_URL is not set.\n');
  });

  it('prints the committed schema for any other DMS', async () => {
    const committed = readFileSync('schema.graphql', 'utf8');
    expect(await run(dms)).toEqual({ code: 0, output: committed });
    // The script that writes it has the same arguments.
    const out = join(dirname(configWith('')), 'schema.graphql');
    const args = ['scripts/print-schema.ts', '--out', out];
    const env = { PATH: process.env['PATH'], ...dms };
    expect(spawnSync(process.execPath, args, { env }).status).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(committed);
  });

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

  it.each([
    [['--config', '/nowhere.ts'], '/nowhere.ts cannot be loaded'],
    [['--out', '/nowhere/schema.graphql'], '/nowhere/schema.graphql'],
  ])('ends with 1 for %s', async (flags, message) => {
    const { code, output } = await run(dms, ...flags);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(message) });
  });
});
