import type { Language } from './language.ts';

const messages: readonly (readonly [message: RegExp, english: string, german: string])[] = [
  [
    /^`filter\.(\w+)` must be an integer from (\d+) to (\d+), not (.+)\.$/,
    'The filter $1 must be a number from $2 to $3, not $4.',
    'Der Filter $1 muss eine Zahl von $2 bis $3 sein, nicht $4.',
  ],
  [
    /^`(?:[\w.]+)` must be (?:an ID of|a global ID|an ID without commas).*$/,
    'This is no ID that fits this field.',
    'Das ist keine ID, die zu diesem Feld passt.',
  ],
  [
    /^`(?:orderBy|search)` \w+ at most (\d+) documents, but the list has (\d+)\..*$/,
    'The list has $2 documents, and only $1 can be searched and sorted. Narrow it by form, phase, status or tags.',
    'Die Liste hat $2 Dokumente, und nur $1 können durchsucht und sortiert werden. Grenzen Sie sie nach Formular, Phase, Status oder Schlagwörtern ein.',
  ],
  [
    /^The list can have at most (\d+) entries, not (\d+)\.$/,
    'There can be at most $1 entries, not $2.',
    'Es darf höchstens $1 Einträge geben, nicht $2.',
  ],
  [
    /^All tables of one input together can have at most (\d+) cells\.$/,
    'All tables together can have at most $1 cells.',
    'Alle Tabellen zusammen dürfen höchstens $1 Zellen haben.',
  ],
  [
    /^A tag must have 1 to 256 characters without control characters and commas\.$/,
    'A tag must have 1 to 256 characters without control characters and commas.',
    'Ein Schlagwort muss 1 bis 256 Zeichen haben, ohne Steuerzeichen und Kommas.',
  ],
  [
    /^A tag must have 1 to 256 characters without control characters\.$/,
    'The name of a field must have 1 to 256 characters without control characters.',
    'Der Name eines Felds muss 1 bis 256 Zeichen haben, ohne Steuerzeichen.',
  ],
  [
    /^You are not allowed to do this\.$/,
    'You are not allowed to do this.',
    'Sie dürfen dies nicht tun.',
  ],
];

/** Returns a message of the gateway for users. Null: it is not known, such as a text that comes from the DMS. */
export function translateMessage(message: string, language: Language): string | null {
  const [, text = '', more] = /^(.*?)(?: \(and (\d+) more\))?$/s.exec(message) ?? [];
  const known = messages.find(([pattern]) => pattern.test(text));
  if (!known) return null;
  const [pattern, english, german] = known;
  const isGerman = language === 'de';
  const rest =
    more === undefined ? '' : isGerman ? ` (und ${more} weitere)` : ` (and ${more} more)`;
  return text.replace(pattern, isGerman ? german : english) + rest;
}

export function isTextOfApi(text: string): boolean {
  return /`|\b[a-z]\w*\.(?:\w+\.)*\w+ |\b[A-Z]+_[A-Z_]+\b|\b[a-z]+[A-Z]\w*\b|GraphQL/.test(text);
}
