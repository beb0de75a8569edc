import type { Setting, SettingsTable } from './setting-parsers.ts';
import { settings } from './settings.ts';

const groups: Partial<Record<keyof typeof settings, string>> = {
  dmsUrl: 'Set first',
  port: 'Process',
  jwtSecret: 'Other identities',
  dmsCaFile: 'Network to the DMS',
  dmsTimeoutMs: 'Times and load',
  rateLimit: 'Limits',
  introspection: 'Development',
};

export function rowsByGroup(
  table: SettingsTable,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const rows = new Map<string, string[][]>();
  const begins = new Map<string, string>(Object.entries(groups));
  let group = '';
  for (const [key, setting] of Object.entries(table)) {
    group = key in settings ? (begins.get(key) ?? group) : 'Features';
    rows.set(group, [...(rows.get(group) ?? []), rowOf(setting)]);
  }
  return rows;
}

function rowOf(setting: Setting<unknown>): string[] {
  const { name, defaultText, rangeText, description, whenToSet } = setting;
  return [name, defaultText || '–', rangeText ?? '–', description, whenToSet];
}

export function align(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
}

export function printSettings(table: SettingsTable): string {
  const rows = Object.values(table).map(rowOf);
  const aligned = align(
    rows.map(([name, value, range, meaning, when]) => [
      name!,
      value!,
      range!,
      `${meaning!} Set it ${when!}.`,
    ]),
  );
  const lines = aligned.map((row) => `  ${row.join('  ').trimEnd()}`);
  return [...rowsByGroup(table)]
    .map(([group, { length }]) => [group, ...lines.splice(0, length)].join('\n'))
    .join('\n\n');
}
