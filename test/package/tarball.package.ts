import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { lexer } from 'marked';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { features } from '../../src/features/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { brokenLinks, readPage } from '../helpers/pages.ts';
import { addressOf, spawnProgram } from '../helpers/process.ts';
import { cleanEnvironment, root, run, runWell } from './run-program.ts';

/* The packed tarball in a project outside of this repository, which does what docs/front-end-tests.md says. */

let project = '';
let tarball = '';
/** package.json of this repository before packing. */
let manifest = '';

/** Files of docs/front-end-tests.md: each code block begins with its path. */
function filesOfPage(): Map<string, string> {
  const page = readFileSync(join(root, 'docs/front-end-tests.md'), 'utf8');
  const blocks = lexer(page).flatMap((token) =>
    token.type === 'code' && token.lang === 'ts' ? [String(token['text'])] : [],
  );
  return new Map(blocks.map((text) => [/^\/\/ (\S+)\n/.exec(text)![1]!, text]));
}

/** The packages that docs/front-end-tests.md installs for the sandbox, which are peers of the package. */
function sandboxPackages(): string[] {
  const { peerDependencies } = JSON.parse(manifest) as {
    peerDependencies: Record<string, string>;
  };
  const peers = Object.entries(peerDependencies).map((pair) => pair.join('@'));
  const page = readFileSync(join(root, 'docs/front-end-tests.md'), 'utf8');
  const [, installed = ''] = page.split(`/${tarball} `);
  const packages = installed.split('\n', 1)[0]!.split(' ');
  expect(peers).toEqual(expect.arrayContaining(packages));
  return packages;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'package-test-'));
  manifest = readFileSync(join(root, 'package.json'), 'utf8');
  tarball = basename(inject('tarball'));
  copyFileSync(inject('tarball'), join(project, tarball));
  const port = String(await freePort());
  write('package.json', JSON.stringify({ private: true, type: 'module' }));
  for (const [path, text] of filesOfPage()) write(path, text.replaceAll('5173', port));
  // A front end for the tests with Playwright. Vite comes with Vitest.
  write(
    'index.html',
    `<h1></h1><script type="module">
      const response = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ documents(view: INBOX) { totalCount } }' }),
      });
      const { data } = await response.json();
      document.querySelector('h1').textContent = 'Inbox (' + data.documents.totalCount + ')';
    </script>`,
  );
  // Its types are checked with those of the page.
  write(
    'kit.ts',
    `import { createRelayFetch, graphcacheKeys, possibleTypes } from 'dms-graphql-gateway/clients';
    import schema from 'dms-graphql-gateway/introspection.json' with { type: 'json' };
    const keys: Record<string, () => null> = graphcacheKeys(schema);
    const embedded = ['Document', 'File', 'Meta'].filter((name) => Object.hasOwn(keys, name));
    createRelayFetch('/graphql')({ text: '{ viewer { runAs } }' }, {});
    console.log(JSON.stringify([possibleTypes.Actor, schema.__schema.queryType.name, embedded]));`,
  );
  await runWell(
    project,
    'npm',
    'install',
    '--save-dev',
    '--no-audit',
    '--no-fund',
    `./${tarball}`,
    ...sandboxPackages(),
    'typescript@7.0.2',
    'typescript-5@npm:typescript@5.9.3',
    'vitest@5.1.0',
    '@playwright/test@1.65.1',
    '@types/node@24.19.2',
  );
  return () => rmSync(project, { recursive: true, force: true });
});

describe('the tarball', () => {
  it('names its commit', async () => {
    const { code, output: head } = await run(root, 'git', 'rev-parse', 'HEAD');
    const commit = code === 0 ? head.trim() : 'unknown';
    const { output } = await run(project, 'npx', 'dms-graphql-gateway', '--version');
    expect(output).toContain(`, commit ${commit}\n`);
  });

  it('contains JavaScript, declarations, schemas and the docs', async () => {
    const listed = (await runWell(project, 'tar', 'tzf', tarball)).trim().split('\n');
    const names = listed.map((name) => name.replace(/^package\//, ''));
    expect(names).toEqual(
      expect.arrayContaining([
        'README.md',
        'dist/examples/inbox/dist/index.html',
        'dist/examples/playground/dist/index.html',
        'dist/sandbox/seed/index.js',
        'dist/src/index.d.ts',
        'dist/src/start.mjs',
        'docs/settings.md',
        'schema.graphql',
        ...features
          .flatMap(({ schemaOption }) => schemaOption ?? [])
          .filter(({ takesFile }) => !takesFile)
          .map(({ name }) => `schema.${name}.graphql`),
      ]),
    );
    const other = names.filter(
      (name) =>
        !/^dist\/examples\/(?:inbox|playground)\/dist\/|^dist\/(src|sandbox)\/.*\.(m?js|d\.m?ts)$|^dist\/introspection\.(json|d\.ts)$|\.md$|^schema\.|^package\.json$/.test(
          name,
        ),
    );
    expect(other).toEqual([]);
  });

  it('has no page with a link that leads nowhere', async () => {
    const installed = join(project, 'node_modules/dms-graphql-gateway');
    const paths = globSync('{*,docs/*,sandbox/*}.md', { cwd: installed });
    expect(paths).toContain('docs/extend.md');
    expect(paths).not.toContain('docs/architecture.md');
    const pages = await Promise.all(paths.map((path) => readPage(installed, path)));
    expect(brokenLinks(installed, pages)).toEqual([]);
    expect(pages.flatMap(({ text }) => text.match(/<(?:img|picture)/g) ?? [])).toEqual([]);
  });

  it('contains what clients must know of the schema', async () => {
    expect(JSON.parse(await runWell(project, 'node', 'kit.ts'))).toEqual([
      ['Person', 'ServiceAccount'],
      'Query',
      ['File', 'Meta'],
    ]);
  });

  it('leaves package.json of this repository as it was', () => {
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe(manifest);
    expect(manifest).toContain('optionalDependencies');
  });

  it('leaves the Node of the project alone', () => {
    expect(existsSync(join(project, 'node_modules/.bin/dms-graphql-gateway'))).toBe(true);
    expect(existsSync(join(project, 'node_modules/.bin/node'))).toBe(false);
  });

  it('contains the schema under its own name', async () => {
    const program = `console.log(import.meta.resolve('dms-graphql-gateway/schema.graphql'))`;
    const url = await runWell(project, 'node', '--input-type=module', '-e', program);
    expect(readFileSync(new URL(url.trim()), 'utf8')).toBe(
      readFileSync(join(root, 'schema.graphql'), 'utf8'),
    );
  });
});

describe('a production installation', () => {
  let production = '';

  beforeAll(async () => {
    production = mkdtempSync(join(tmpdir(), 'package-production-'));
    writeFileSync(join(production, 'package.json'), '{ "private": true, "type": "module" }');
    await runWell(production, 'npm', 'install', '--no-audit', '--no-fund', join(project, tarball));
    return () => rmSync(production, { recursive: true, force: true });
  });

  it('has at most 80 MB and no packages of the sandbox', async () => {
    const size = await runWell(production, 'du', '-s', '--block-size=1000000', 'node_modules');
    expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(80);
    for (const name of Object.keys(JSON.parse(manifest).peerDependencies as object)) {
      expect(existsSync(join(production, 'node_modules', name))).toBe(false);
    }
  });

  it('has the packages with which this repository is tested', async () => {
    // Later minor versions are installed as soon as they are published.
    const majors = (text: string): string[] => {
      const { packages } = JSON.parse(text) as {
        packages: Record<
          string,
          { version: string; dev?: true; optional?: true; devOptional?: true }
        >;
      };
      return Object.entries(packages)
        .filter(
          ([path, { dev, optional, devOptional }]) => path && !(dev || optional || devOptional),
        )
        .map(
          ([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version.split('.')[0]}`,
        )
        .filter((name) => !name.startsWith('dms-graphql-gateway@'))
        .toSorted();
    };
    const installed = readFileSync(join(production, 'package-lock.json'), 'utf8');
    const tested = readFileSync(join(root, 'package-lock.json'), 'utf8');
    expect(new Set(majors(installed))).toEqual(new Set(majors(tested)));
  });

  it('needs DMS_URL', async () => {
    const message =
      'The sandbox needs the package pdfkit, which is not installed. Set DMS_URL to use a DMS.';
    const command = join(production, 'node_modules/.bin/dms-graphql-gateway');
    expect(await run(production, command)).toEqual({
      code: 1,
      output: `The gateway cannot start: ${message}\n`,
    });
    const program = `
      import { startGateway, startSandbox } from 'dms-graphql-gateway';
      await (await startGateway({ DMS_URL: 'http://127.0.0.1:9' })).close();
      for (const start of [startGateway, startSandbox]) {
        console.log(await start().catch((error) => error.message));
      }`;
    const output = await runWell(production, 'node', '--input-type=module', '-e', program);
    expect(output).toBe(`${message}\n${message}\n`);
  });
});

describe('types', () => {
  const consumer = `
    import { ConfigError, startGateway, startSandbox, type GatewaySettings } from 'dms-graphql-gateway';
    import { createResolvers, startMockDms } from 'dms-graphql-gateway/testing';

    const settings: GatewaySettings = { PORT: 0, IDENTITY: 'service', INTROSPECTION: false };
    await using sandbox = await startSandbox({ onRequest: (line: string) => void line });
    await using gateway = await startGateway({ ...settings, DMS_URL: sandbox.url, DMS_AUTHORIZATION: sandbox.authorization });
    await using dms = await startMockDms();
    dms.reply('GET', '/a', ({ body }) => body.length).reply('GET', /b/, []);
    const { data, codes } = await createResolvers({ languages: ['en'] }).run('{ __typename }');
    export const values: readonly string[] = [gateway.url, gateway.graphqlUrl, dms.url, String(codes)];
    export const typename: unknown = data?.['__typename'];
    export const isConfigError = (error: unknown): boolean => error instanceof ConfigError;

    export const wrong = [
      // @ts-expect-error -- not a setting
      () => startGateway({ PROT: 0 }),
      // @ts-expect-error -- not supported
      () => startGateway({ WORKERS: 2 }),
      // @ts-expect-error -- not one of its values
      () => startGateway({ IDENTITY: 'nobody' }),
      // @ts-expect-error -- not a member
      () => gateway.stop(),
    ];
  `;
  const extension = `
    import { defineGateway } from 'dms-graphql-gateway';
    import { resolverError } from 'dms-graphql-gateway/schema';

    declare module 'dms-graphql-gateway' {
      interface TeamContext {
        risk: { of(id: string): number };
      }
      interface TeamScalars {
        Money: { Input: string; Output: bigint };
      }
    }

    export const config = defineGateway({
      plugins: [{ onExecute() {} }],
      schema(builder, { DocumentRef, RecoDataRef }) {
        builder.objectField(DocumentRef, 'riskScore', (t) =>
          t.float({
            requires: ['author', 'values'],
            resolve: ({ fullId, author }, _args, { risk }) => (author ? risk.of(fullId) : 0),
          }),
        );
        builder.objectField(DocumentRef, 'wrongRequirement', (t) =>
          // @ts-expect-error -- misspelt
          t.float({ requires: ['autor'], resolve: () => 1 }),
        );
        builder.objectField(RecoDataRef, 'otherType', (t) =>
          // @ts-expect-error -- a requirement of Document
          t.float({ requires: ['author'], resolve: () => 1 }),
        );
        builder.objectField(DocumentRef, 'wrongProperty', (t) =>
          // @ts-expect-error -- not a property of a document
          t.float({ resolve: ({ total }) => total }),
        );
        builder.objectField(DocumentRef, 'wrongResult', (t) =>
          // @ts-expect-error -- not a number
          t.float({ resolve: () => 'high' }),
        );
        builder.objectField(DocumentRef, 'otherContext', (t) =>
          // @ts-expect-error -- not for teams
          t.float({ resolve: (_document, _args, { dms }) => (dms ? 1 : 0) }),
        );
        builder.mutationField('store', (t) =>
          t.string({
            args: { file: t.arg({ type: 'Upload', required: true }) },
            resolve: async (_root, { file }, { loaders }) =>
              (await loaders.person.load((await file).filename))?.firstName ?? '',
          }),
        );
        builder.scalarType('Money', { serialize: String, parseValue: String });
        builder.queryField('price', (t) =>
          t.field({
            type: 'Money',
            args: { least: t.arg({ type: 'Money' }) },
            resolve: (_root, { least }) => {
              if (least == null) throw resolverError('BAD_USER_INPUT', 'least is required');
              return BigInt(least);
            },
          }),
        );
        builder.queryField('wrongScalar', (t) =>
          // @ts-expect-error -- not the type of its values
          t.field({ type: 'Money', resolve: () => 'a' }),
        );
        // @ts-expect-error -- not declared
        builder.scalarType('Weight', { serialize: String });
        // @ts-expect-error -- not a type
        builder.objectField('Nothing', 'a', (t) => t.int({ resolve: () => 1 }));
        // @ts-expect-error -- the Relay plugin is the gateway's
        builder.node(DocumentRef, {});
      },
      context: () => ({ risk: { of: (id) => id.length } }),
    });

    // @ts-expect-error -- not an option
    defineGateway({ plugin: [] });
    // @ts-expect-error -- a plugin of Vite
    defineGateway({ plugins: [{ name: 'a', transform: () => '' }] });
    // @ts-expect-error -- not a setting
    defineGateway({ settings: { PROT: 1 } });
    // @ts-expect-error -- not what TeamContext declares
    defineGateway({ context: () => ({ risk: 1 }) });
  `;
  const strictest = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true, // declarations of dependencies need it
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
  };
  const compilers = { 'TypeScript 7': 'typescript', 'TypeScript 5.9': 'typescript-5' };
  const resolutions = {
    nodenext: { module: 'nodenext' },
    bundler: { module: 'preserve', moduleResolution: 'bundler' },
  };
  const cases = Object.entries(compilers).flatMap(([name, compiler]) =>
    Object.entries(resolutions).map(([resolution, options], index) => {
      const isMain = compiler === 'typescript' && index === 0;
      return { name, compiler, resolution, options, tags: isMain ? [] : ['nightly' as const] };
    }),
  );

  for (const { name, compiler, resolution, options, tags } of cases) {
    describe(`with ${name} and ${resolution}`, { tags }, () => {
      const compile = (config: object, ...more: readonly string[]): ReturnType<typeof run> => {
        write(`types/tsconfig.${resolution}.json`, JSON.stringify(config));
        const tsc = `node_modules/${compiler}/bin/tsc`;
        return run(project, 'node', tsc, '-p', `types/tsconfig.${resolution}.json`, ...more);
      };

      it('are exact and complete without types of Node', async () => {
        write('types/extension.ts', extension);
        write('types/consumer.ts', consumer);
        const config = {
          compilerOptions: { ...strictest, ...options },
          files: ['consumer.ts', 'extension.ts'],
        };
        expect(await compile(config)).toEqual({ code: 0, output: '' });
        write('types/consumer.ts', `${consumer}\nexport const no: number = gateway.url;`);
        const { output } = await compile(config);
        expect(output).toMatch(/error TS2322: Type 'string' is not assignable to type 'number'/);
      });

      it('have no errors of their own without skipLibCheck', async () => {
        write('types/extension.ts', extension);
        write('types/all.ts', consumer);
        const config = {
          compilerOptions: { ...strictest, ...options, skipLibCheck: false, types: ['node'] },
          files: ['all.ts', 'extension.ts', '../kit.ts'],
        };
        const { output } = await compile(config, '--listFiles');
        for (const module of ['index', 'clients/index', 'schema/public', 'testing/index']) {
          expect(output).toContain(`/node_modules/dms-graphql-gateway/dist/src/${module}.d.ts`);
        }
        const errors = output.split('\n').filter((line) => line.includes('error TS'));
        const ofOthers = /^node_modules\/(?!dms-graphql-gateway\/)/;
        expect(errors.filter((line) => !ofOthers.test(line))).toEqual([]);
      });
    });
  }

  it('fit the files of the page', async () => {
    const compilerOptions = {
      ...strictest,
      module: 'nodenext',
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    const include = ['*.ts', 'test', 'e2e'];
    write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
    const output = await runWell(project, 'node', 'node_modules/typescript/bin/tsc', '--listFiles');
    for (const path of filesOfPage().keys()) expect(output).toContain(join(project, path));
  });
});

describe('the page on front-end tests', { tags: ['nightly'] }, () => {
  it('has tests for Vitest that pass', async () => {
    const output = await runWell(project, 'npx', 'vitest', 'run', '--testTimeout=60000');
    expect(output).toMatch(/Test Files +4 passed \(4\)/);
    expect(output).toMatch(/Tests +5 passed \(5\)/);
  });

  it('has tests for Playwright that pass', async () => {
    // Playwright's own browser is not installed.
    write(
      'playwright.debian.config.ts',
      `import config from './playwright.config.ts';
      const launchOptions = {
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      };
      export default { ...config, use: { ...config.use, launchOptions } };`,
    );
    const output = await runWell(
      project,
      'npx',
      'playwright',
      'test',
      '--config=playwright.debian.config.ts',
      '--reporter=list',
    );
    expect(output).toMatch(/1 passed/);
  });
});

describe('a process that uses the package', () => {
  it('ends by itself when everything is closed', async () => {
    write(
      'program.js',
      `import { startGateway } from 'dms-graphql-gateway';
      import { createResolvers, startMockDms } from 'dms-graphql-gateway/testing';
      const [one, other] = await Promise.all([startGateway(), startGateway()]);
      const dms = await startMockDms();
      for (const { graphqlUrl } of [one, other]) {
        const body = JSON.stringify({ query: '{ documents(view: ALL, first: 20) { nodes { author { systemId } } } }' });
        const response = await fetch(graphqlUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const { data } = await response.json();
        console.log(data.documents.nodes.length);
      }
      await createResolvers().run('{ __typename }');
      await Promise.all([one.close(), other.close(), dms.close()]);
      console.log(process.eventNames().filter((name) => String(name).startsWith('SIG')).length);`,
    );
    expect(await runWell(project, 'node', 'program.js')).toBe('20\n20\n0\n');
  });
});

describe('the command', () => {
  it.each(['1', '2'])('starts and stops the gateway, with WORKERS=%s', async (workers) => {
    const gateway = spawnProgram(join(project, 'node_modules/.bin/dms-graphql-gateway'), [], {
      cwd: project,
      env: { ...cleanEnvironment(project), PORT: '0', WORKERS: workers },
      detached: true,
    });
    const url = await addressOf(gateway);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('<script type="module"');
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
  });
});
