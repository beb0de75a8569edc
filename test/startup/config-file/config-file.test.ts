import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addressOf, logged, spawnGateway, spawnGatewayIn } from '../../helpers/process.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

const execute = promisify(execFile);

/** Creates a directory with one file, and with others by their names. */
function directoryWith(name: string, text: string, others: Record<string, string> = {}): string {
  const directory = temporaryDirectory();
  for (const [file, content] of Object.entries({ [name]: text, ...others })) {
    writeFileSync(join(directory, file), content);
  }
  return directory;
}

const valid = `
import { defineGateway } from 'dms-graphql-gateway';

declare module 'dms-graphql-gateway' {
  interface TeamContext {
    risk: { of(id: string): number };
  }
}

export default defineGateway({
  settings: { LOG_LEVEL: 'warn', MAX_DEPTH: 2 },
  schema(builder, { DocumentRef }) {
    builder.objectField(DocumentRef, 'riskScore', (t) =>
      t.int({
        nullable: true,
        requires: ['shortId'],
        resolve: ({ shortId }, _args, { risk }) => risk.of(shortId ?? ''),
      }),
    );
  },
  context: () => ({ risk: { of: (id: string) => id.length } }),
});
`;

async function ask(url: string, document: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document }),
  });
  return response.json();
}

/** The configuration in each file, or why it cannot be loaded. One process loads all of them. */
async function load(paths: readonly string[]): Promise<unknown> {
  const program = `
    import { loadConfig } from './src/startup/load-config.ts';
    const load = (path) =>
      loadConfig(path, '.', () => {}).then(({ config }) => config, ({ message }) => message);
    console.log(JSON.stringify(await Promise.all(process.argv.slice(1).map(load))));`;
  const { stdout } = await execute(process.execPath, [
    '--input-type=module',
    '-e',
    program,
    ...paths,
  ]);
  return JSON.parse(stdout);
}

const query = '{ document(id: "DOC-0191") { riskScore } }';

describe('the configuration file', () => {
  it('is found in the working directory, and named', async () => {
    const directory = directoryWith('gateway.config.ts', valid);
    const gateway = spawnGatewayIn(directory, { DATA_DIR: 'data' });
    const url = await addressOf(gateway);
    expect(await ask(url, query)).toEqual({ data: { document: { riskScore: 8 } } });
    const path = join(directory, 'gateway.config.ts');
    expect(await logged(gateway, { msg: 'gateway started' })).toMatchObject({
      configuration: path,
    });
  });

  it(
    'can be TypeScript, JavaScript or JSON, as a module or CommonJS',
    { tags: ['nightly'] },
    async () => {
      const text = "{ settings: { DMS_URL: 'http://127.0.0.1:9' } }";
      const required = "const { defineGateway } = require('dms-graphql-gateway');";
      const directory = directoryWith('a.ts', `export default ${text};`, {
        'a.mts': `export default ${text};`,
        'a.cts': `${required} module.exports = defineGateway(${text});`,
        'a.js': `export default ${text};`,
        'a.mjs': `export default ${text};`,
        'a.cjs': `${required} module.exports = defineGateway(${text});`,
        'b.cjs': `exports.__esModule = true; exports.default = ${text};`,
        'a.json': '{ "settings": { "DMS_URL": "http://127.0.0.1:9" } }',
      });
      const paths = readdirSync(directory).map((name) => join(directory, name));
      expect(paths).toHaveLength(8);
      expect(await load(paths)).toEqual(
        paths.map(() => ({ settings: { DMS_URL: 'http://127.0.0.1:9' } })),
      );
    },
  );

  it(
    'ends the start if it has an extension that the gateway cannot read',
    { tags: ['nightly'] },
    async () => {
      const gateway = spawnGatewayIn(directoryWith('gateway.config.yaml', ''), {});
      expect(await gateway.exited).toBe(1);
      expect(gateway.output()).toMatch(/gateway\.config\.yaml cannot be read\./);
    },
  );

  it.each([
    ['an enum', 'export enum Level { Low }', {}, 'TypeScript enum'],
    ['a decorator', 'class A {\n  @log a = 1;\n}\nexport default {};', {}, 'gateway.config.ts:2'],
    ['an imported decorator', "import './a.ts';", { 'a.ts': '\n@log class A {}' }, '/a.ts:2'],
    ['an imported enum', "import './a.ts';", { 'a.ts': '\nenum A {}' }, '/a.ts:2'],
    ['no extension', "import './a';", { 'a.ts': '' }, 'Cannot find module'],
    [
      'an imported type',
      "import { A } from './a.ts';",
      { 'a.ts': 'export type A = 1;' },
      "does not provide an export named 'A'",
    ],
  ])('says what to do about %s', { tags: ['nightly'] }, async (_what, text, others, message) => {
    const gateway = spawnGatewayIn(directoryWith('gateway.config.ts', text, others), {});
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toContain(message);
  });

  it('ends the start with all that is wrong in it', async () => {
    const text = `export default {
      plugin: [],
      forms: { fil: 'forms.json', names: 1 },
      settings: { DMS_TIMEOUT: 1, MAX_TOKENS: 'x' },
    };`;
    const directory = directoryWith('gateway.config.ts', text);
    const gateway = spawnGatewayIn(directory, { MAX_DEPTH: '0' });
    expect(await gateway.exited).toBe(1);
    const path = join(directory, 'gateway.config.ts');
    expect(gateway.output().split('\n')).toEqual([
      `${path}: \`plugin\` is not an option: did you mean plugins?`,
      `${path}: \`forms\` has no option \`fil\`: did you mean file?; it has an invalid \`names\``,
      'Invalid settings:',
      '  DMS_TIMEOUT is not a setting: did you mean DMS_TIMEOUT_MS?',
      '  MAX_DEPTH must be an integer from 1 to 1000, not "0"',
      '  MAX_TOKENS must be an integer from 10 to 100000, not "x"',
      '',
    ]);
  });

  it(
    'names the file and line also behind a link, as a ConfigMap mounts it',
    { tags: ['nightly'] },
    async () => {
      const text = 'export default {\n  schema: () => nothing };';
      const directory = directoryWith('linked.ts', text, { 'broken.ts': '\nenum A {}' });
      const startWith = async (file: string): Promise<string> => {
        const link = join(directory, 'gateway.config.ts');
        rmSync(link, { force: true });
        symlinkSync(file, link);
        const gateway = spawnGatewayIn(directory, { DMS_URL: 'http://127.0.0.1:9' });
        expect(await gateway.exited).toBe(1);
        return gateway.output();
      };
      expect(await startWith('linked.ts')).toContain('linked.ts:2');
      expect(await startWith('broken.ts')).toContain('broken.ts:2');
    },
  );

  it('is loaded by each worker, and the environment wins', async () => {
    const directory = directoryWith('team.ts', valid);
    const settings = { WORKERS: '2', MAX_DEPTH: '12', DATA_DIR: join(directory, 'data') };
    const gateway = spawnGateway(settings, '--config', join(directory, 'team.ts'));
    const url = await addressOf(gateway);
    const deep = '{ document(id: "DOC-0191") { riskScore refByDocs { nodes { riskScore } } } }';
    expect(await ask(url, deep)).toMatchObject({ data: { document: { riskScore: 8 } } });
  });

  it(
    'shares the one graphql of the gateway, and its other packages',
    { tags: ['nightly'] },
    async () => {
      const text = `
      import { GraphQLError } from 'graphql';
      import DataLoader from 'dataloader';
      import { copy } from './node_modules/plugin/index.js';
      export default {
        schema: (builder) => builder.queryField('a', (t) => t.string({
          resolve: () => [copy === GraphQLError, typeof DataLoader].join(),
        })),
      };`;
      const directory = directoryWith('gateway.config.ts', text);
      const packages = {
        graphql: "throw new Error('a second copy');",
        plugin: "export { GraphQLError as copy } from 'graphql';",
      };
      for (const [name, source] of Object.entries(packages)) {
        const folder = join(directory, 'node_modules', name);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "index.js" }');
        writeFileSync(join(folder, 'index.js'), source);
      }
      const url = await addressOf(spawnGatewayIn(directory, { DMS_URL: 'http://127.0.0.1:9' }));
      expect(await ask(url, '{ a }')).toEqual({ data: { a: 'true,function' } });
    },
  );

  it('shares them with CommonJS', { tags: ['nightly'] }, async () => {
    const text = `
      const { GraphQLError } = require('graphql');
      const { default: copy } = require('./copy.cjs');
      module.exports = {
        schema: (builder) => builder.queryField('a', (t) => t.string({
          resolve: () => [copy === GraphQLError, typeof require('dataloader')].join(),
        })),
      };`;
    const others = { 'copy.cjs': "exports.default = require('graphql').GraphQLError;" };
    const directory = directoryWith('gateway.config.cjs', text, others);
    const url = await addressOf(spawnGatewayIn(directory, { DMS_URL: 'http://127.0.0.1:9' }));
    expect(await ask(url, '{ a }')).toEqual({ data: { a: 'true,function' } });
  });

  it.each([
    ['does not parse', 'export default {\n  schema: ,\n};', 'gateway.config.ts:2'],
    ['throws', '\n\nthrow new Error("no risk service");', 'no risk service'],
    ['imports what does not exist', 'import "./nothing.ts";', 'nothing.ts'],
    [
      'has a plugin that throws',
      'export default { plugins: [{ onPluginInit() { throw new Error("no license"); } }] };',
      'no license',
    ],
    [
      'adds a field that exists',
      'export default { schema(builder) { builder.queryField("document", (t) => t.int({ resolve: () => 1 })); } };',
      'Duplicate field document on Query',
    ],
    [
      'has a schema that throws',
      '\nexport default { schema() { throw new Error("no types"); } };',
      'no types',
    ],
  ])('ends the start if it %s', { tags: ['nightly'] }, async (_what, text, message) => {
    const path = join(directoryWith('gateway.config.ts', text), 'gateway.config.ts');
    const gateway = spawnGateway({ DMS_URL: 'http://127.0.0.1:9' }, '--config', path);
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toContain(message);
    expect(gateway.output()).toContain('gateway.config');
  });

  it('is named if it does not export a valid configuration', { tags: ['nightly'] }, async () => {
    const texts = {
      'a.ts': 'export const config = {};',
      'b.ts': 'export default Promise.resolve({});',
      'c.ts': 'export default { plugins: ["response-cache"] };',
      'd.ts': 'export default { plugins: [Promise.resolve({})] };',
      'e.ts': 'export default { forms: { names: { invoice: "bill" } } };',
    };
    const directory = directoryWith('other.ts', '', texts);
    const paths = Object.keys(texts).map((name) => join(directory, name));
    const plugins =
      '`plugins` must be a list of plugins of Yoga or Envelop, or a function that returns one';
    expect(await load(paths)).toEqual([
      `${paths[0]} has no default export. Write \`export default defineGateway({ … })\`.`,
      `${paths[1]} must be an object`,
      `${paths[2]}: ${plugins}`,
      `${paths[3]}: ${plugins}`,
      `${paths[4]}: \`forms\` needs \`file\`, the path of a file with forms`,
    ]);
  });

  it('ends the start if it is never loaded', { tags: ['nightly'] }, async () => {
    const path = join(
      directoryWith('gateway.config.js', 'await new Promise(() => {});'),
      'gateway.config.js',
    );
    const program = `
      import { loadConfig } from './src/startup/load-config.ts';
      await loadConfig(process.argv[1], '.', () => {}, 10).catch(({ message }) => console.log(message));`;
    const { stdout } = await execute(process.execPath, [
      '--input-type=module',
      '-e',
      program,
      path,
    ]);
    expect(stdout).toBe(
      `${path} cannot be loaded: its top-level \`await\` takes longer than 10 ms\n`,
    );
  });

  it(
    'leaves the gateway running after a rejection that its code does not handle',
    { tags: ['nightly'] },
    async () => {
      const text = `
      import { resolverError } from 'dms-graphql-gateway/schema';
      const reasons = [new Error('no risk service'), resolverError('FORBIDDEN', 'no'), null, 'a text'];
      export default {
        schema: (builder) => builder.queryField('lost', (t) => t.int({
          resolve() {
            for (const reason of reasons) void Promise.reject(reason);
            return 1;
          },
        })),
      };`;
      const settings = { DMS_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'error' };
      const gateway = spawnGatewayIn(directoryWith('gateway.config.ts', text), settings);
      const url = await addressOf(gateway);
      for (let i = 0; i < 2; i += 1) {
        expect(await ask(url, '{ lost }')).toEqual({ data: { lost: 1 } });
      }
      const rejections = () =>
        gateway
          .output()
          .split('\n')
          .filter((line) => /unhandled/.test(line));
      await expect.poll(rejections).toHaveLength(8);
      expect(rejections()[0]).toMatch(/"level":50,.*Error: no risk service.*gateway\.config\.ts:3/);
    },
  );

  it(
    'ends the start if it does not exist, and shows hidden characters of its name',
    { tags: ['nightly'] },
    async () => {
      const gateway = spawnGateway({}, '--config', 'none\u202e.ts');
      expect(await gateway.exited).toBe(1);
      expect(gateway.output()).toContain('none<U+202E>.ts');
    },
  );
});
