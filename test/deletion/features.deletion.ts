import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run, runWell } from '../package/run-program.ts';
import { compileFeatures, copyWithout, featureNames, lostFrom, withDependents } from './copy.ts';

/*
 * Each feature can be deleted: without its folder, its tests, its page and its line in src/features/index.ts, the rest
 * compiles, prints the same schemas except for its own types, and passes tests of the core.
 */

/**
 * Tests of what features add to: settings, schema, endpoints, plugins, metrics, start. All tests of the core would take
 * minutes for each feature. Those of docs/ and deploy/ list the settings of all features.
 */
const coreTests = [
  'test/imports.test.ts',
  'test/config/read-config.test.ts',
  'test/config/setting-sources.test.ts',
  'test/e2e/projection.test.ts',
  'test/schema/extend.test.ts',
  'test/schema/queries.test.ts',
  'test/schema/schema.test.ts',
  'test/server/graphql/plugins.test.ts',
  'test/server/plugin-endpoints.test.ts',
  'test/server/team.test.ts',
  'test/server/telemetry/metrics.test.ts',
  'test/startup/settings.test.ts',
  'test/startup/start-gateway.test.ts',
  'test/testing/mock-dms.test.ts',
];

describe.each(featureNames)('without %s, the rest', { tags: ['nightly'] }, (name) => {
  describeRest(withDependents(name));
});

// A copy that has one feature has no others.
describe.runIf(featureNames.length > 1)('without all features, the rest', () => {
  describeRest(new Set(featureNames));
});

function describeRest(deleted: ReadonlySet<string>): void {
  const isWhole = deleted.size === featureNames.length;
  let copy = '';

  beforeAll(async () => {
    copy = await copyWithout(deleted);
    return () => rmSync(copy, { recursive: true });
  });

  /** The output of a program in the copy if it fails, otherwise `''`. */
  async function failureOf(command: string, ...args: readonly string[]): Promise<string> {
    const { code, output } = await run(copy, command, ...args);
    return code === 0 ? '' : `${output}\nexit code ${code}`;
  }

  it('prints the committed schemas, without its own types', async () => {
    expect(lostFrom(copy, deleted)).toEqual([]);
    const output = await failureOf('node', 'scripts/print-schema.ts', '--check');
    // The settings of a feature go with it.
    expect(output.replace(/^docs\/settings\.md is stale.*\n(\nexit code 1$)?/m, '')).toBe('');
  });

  it('passes tests of the core', async () => {
    expect(coreTests.filter((path) => !existsSync(join(copy, path)))).toEqual([]);
    expect(await failureOf('vitest', 'run', ...coreTests)).toBe('');
  });

  it('compiles', async () => {
    const output = isWhole ? runWell(copy, 'tsc', '--noEmit', '-p', '.') : compileFeatures(copy);
    expect(await output).toBe('');
  });
}
