import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * Writes release/sbom.cdx.json, a CycloneDX list of the production packages, and release/licences.csv, their licences.
 * `npm sbom --omit dev` is not used: it leaves out packages that development packages need too.
 */
const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const sbom = pathOf('release/sbom.cdx.json');

const options =
  '--omit dev --omit optional --flatten-components --output-reproducible --mc-type application';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

mkdirSync(pathOf('release'), { recursive: true });
execFileSync(
  pathOf('scripts/sbom/node_modules/.bin/cyclonedx-npm'),
  [...options.split(' '), '--output-file', sbom],
  { cwd: pathOf(''), stdio: 'inherit' },
);
const { components } = JSON.parse(readFileSync(sbom, 'utf8')) as {
  components: readonly Component[];
};
const rows = components.map(({ group, name, version, licenses = [] }) => {
  const names = licenses.map((one) => one.expression ?? one.license?.id ?? one.license?.name ?? '');
  return [group === undefined ? name : `${group}/${name}`, version, names.join(' AND ')];
});
const unlicensed = rows.filter(([, , licence]) => licence === '').map(([name]) => name);
if (unlicensed.length > 0) throw new Error(`Packages without a licence: ${unlicensed.join(', ')}`);
const lines = [...new Set(rows.map((row) => row.join(',')))];
writeFileSync(pathOf('release/licences.csv'), `package,version,licence\n${lines.join('\n')}\n`);
