/** @module-tag nightly */
import { describe, expect, it } from 'vitest';
import { sha256, writeManifest } from '../../helpers/persisted-documents.ts';
import { spawnGateway } from '../../helpers/process.ts';
import { temporaryFile } from '../../helpers/temporary-directory.ts';

const dms = { DMS_URL: 'http://127.0.0.1:9' };

/** Runs the command `schema` until it ends. */
async function run(settings: Record<string, string>, ...flags: string[]) {
  const command = spawnGateway(settings, 'schema', ...flags);
  return { code: await command.exited, output: command.output() };
}

const configWith = (text: string): string =>
  temporaryFile(
    'gateway.config.ts',
    `import { resolverError } from 'dms-graphql-gateway/schema'; export default { ${text} };`,
  );

const ownField =
  "schema: (builder) => builder.queryField('team', (t) => t.string({ resolve: () => '' }))";

describe('--check-documents', () => {
  it('accepts documents of the schema with the fields of a team', async () => {
    const texts = ['query A { team }', 'query B { viewer { runAs } }'];
    const manifest = writeManifest(Object.fromEntries(texts.map((text) => [sha256(text), text])));
    expect(await run(dms, '--check-documents', manifest, '--config', configWith(ownField))).toEqual(
      { code: 0, output: `${manifest}: 2 valid documents\n` },
    );
  });

  it('names each document that a start would reject, and ends with 1', async () => {
    const deep = '{ document(id: "DOC-1") { author { id } } }';
    const manifest = writeManifest({
      A: '{ viewer { runAs } }',
      B: '{ document(id: "DOC-1") { amount } }',
      C: deep,
      D: 'query {',
      E: '{ viewer { __typename } }',
    });
    const plugins = `plugins: ({ registry }) => [registry.contentType && { onValidate({ addValidationRule }) {
      addValidationRule((context) => ({
        Field(node) {
          if (node.name.value === '__typename') context.reportError(resolverError('FORBIDDEN', 'Not allowed here.'));
        },
      }));
    } }]`;
    const settings = { ...dms, MAX_DEPTH: '2' };
    const config = ['--config', configWith(plugins)];
    const { code, output } = await run(settings, '--check-documents', manifest, ...config);
    expect(code).toBe(1);
    const problems = [
      `${manifest} has 4 bad entries:`,
      '  "B": Cannot query field "amount" on type "Document".',
      '  "C": The operation has 3 levels of fields; MAX_DEPTH allows 2.',
      '  "D": Syntax Error: Expected Name, found <EOF>.',
      '  "E": Not allowed here.',
    ].join('\n');
    expect(output).toContain(`${problems}\n`);
    // The start says the same.
    const gateway = spawnGateway({ ...settings, PERSISTED_DOCUMENTS: manifest }, ...config);
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toContain(`PERSISTED_DOCUMENTS: ${problems}\n`);
  });

  it('reports each of several manifests, and fails if one is not valid', async () => {
    const changed = writeManifest({ A: 'query A { team }' });
    const valid = writeManifest({ A: 'query A { viewer { runAs } }' });
    const other = writeManifest('[]');
    const flags = [changed, valid, other].flatMap((path) => ['--check-documents', path]);
    expect(await run(dms, ...flags)).toEqual({
      code: 1,
      output: [
        `${changed} has 1 bad entry:`,
        '  "A": Cannot query field "team" on type "Query".',
        `${valid}: 1 valid document`,
        `${other} is not a JSON object.`,
        '',
      ].join('\n'),
    });
  });

  it('reports instead of the schema', async () => {
    const { code, output } = await run(dms, '--check-documents', 'a', '--out', 'b');
    expect(code).toBe(1);
    expect(output).toContain('--out needs forms, or schema without --check-documents\n');
  });
});
