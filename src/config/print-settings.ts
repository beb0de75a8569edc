import type { Setting, SettingsTable } from './setting-parsers.ts';
import { settings } from './settings.ts';

const groups: Partial<Record<keyof typeof settings, string>> = {
  port: 'Network',
  dmsUrl: 'The DMS',
  identityMode: 'Identity and file links',
  maxUploadBytes: 'Limits of a request',
  corsOrigins: 'Execution, browsers and operation',
};

function rowsByGroup(table: SettingsTable): ReadonlyMap<string, readonly (readonly string[])[]> {
  const rows = new Map<string, string[][]>();
  const begins = new Map<string, string>(Object.entries(groups));
  let group = '';
  for (const [key, setting] of Object.entries(table)) {
    group = key in settings ? (begins.get(key) ?? group) : 'Features';
    rows.set(group, [...(rows.get(group) ?? []), rowOf(setting)]);
  }
  return rows;
}

function rowOf({ name, defaultText, rangeText, description }: Setting<unknown>): string[] {
  return [name, defaultText || '–', rangeText ?? '–', description];
}

function align(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
}

export function printSettings(table: SettingsTable): string {
  const aligned = align(Object.values(table).map(rowOf));
  const lines = aligned.map((row) => `  ${row.join('  ').trimEnd()}`);
  return [...rowsByGroup(table)]
    .map(([group, rows]) => [group, ...lines.splice(0, rows.length)].join('\n'))
    .join('\n\n');
}

export function withSettings(page: string, table: SettingsTable): string {
  let text = page;
  for (const [group, rows] of rowsByGroup(table)) {
    const named = rows.map(([name, ...cells]) => [`\`${name}\``, ...cells]);
    const [head, ...body] = align([['name', 'default', 'range', 'meaning'], ...named]);
    const line = head!.map((cell) => '-'.repeat(cell.length));
    const printed = [head!, line, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
    text = text.replace(
      new RegExp(`(?<=^## ${group}\n\n)(?:\\|.*\n?)+`, 'm'),
      () => `${printed}\n`,
    );
  }
  return text;
}
