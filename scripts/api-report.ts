import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

/*
 * Writes the reports of what the package exports to api/. With `--check` it writes nothing, and exits with code 1 if one
 * is outdated. API Extractor reads the declarations as they are packed.
 */
const isCheck = process.argv.includes('--check');
const root = fileURLToPath(new URL('..', import.meta.url));
const declarations = `${root}dist/api`;

/** Entry points by the name of their report. The types that teams use are part of that of the schema. */
const entryPoints = {
  index: { path: 'src/index.d.ts', includeForgottenExports: false },
  clients: { path: 'src/clients/index.d.ts', includeForgottenExports: true },
  schema: { path: 'src/schema/public.d.ts', includeForgottenExports: true },
  testing: { path: 'src/testing/index.d.ts', includeForgottenExports: false },
};

const options = ['--emitDeclarationOnly', '--outDir', declarations];
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json', ...options], {
  cwd: root,
  shell: process.platform === 'win32',
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

const hidden = { logLevel: ExtractorLogLevel.None, addToApiReportFile: false };
const messages = {
  compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
  extractorMessageReporting: { default: hidden },
  tsdocMessageReporting: { default: hidden },
};

for (const [name, { path, includeForgottenExports }] of Object.entries(entryPoints)) {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      newlineKind: 'lf',
      mainEntryPointFilePath: `${declarations}/${path}`,
      compiler: { tsconfigFilePath: `${root}tsconfig.build.json`, skipLibCheck: true },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: `${root}api`,
        reportTempFolder: `${declarations}/reports`,
        includeForgottenExports,
      },
      messages,
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: `${root}package.json`,
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  if (isCheck && apiReportChanged) {
    process.stderr.write(`api/${name}.api.md is stale: run \`npm run update\` and commit it.\n`);
    process.exitCode = 1;
  }
}
