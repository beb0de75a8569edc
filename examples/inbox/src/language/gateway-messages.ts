import type { Language } from './language.ts';

/** Messages of the gateway that users can cause, with their German texts. `$1` is what the first parentheses match. */
const germanMessages: readonly (readonly [message: RegExp, german: string])[] = [
  [
    /^`([\w.]+)` must be an integer from (\d+) to (\d+), not (.+)\.$/,
    '`$1` muss eine ganze Zahl von $2 bis $3 sein, nicht $4.',
  ],
  [/^`([\w.]+)` must be an ID without commas\.$/, '`$1` muss eine ID ohne Kommas sein.'],
  [
    /^`([\w.]+)` must be (?:an ID of|a global ID).*$/,
    '`$1` muss eine ID sein, die zu diesem Feld passt.',
  ],
  [
    /^The list can have at most (\d+) entries, not (\d+)\.$/,
    'Die Liste darf höchstens $1 Einträge haben, nicht $2.',
  ],
  [/^The tag (".*") occurs more than once\.$/, 'Das Feld $1 kommt mehr als einmal vor.'],
  [
    /^The row has (\d+) cells, but the table has (\d+) columns\.$/,
    'Die Zeile hat $1 Zellen, die Tabelle aber $2 Spalten.',
  ],
  [
    /^All tables of one input together can have at most (\d+) cells\.$/,
    'Alle Tabellen zusammen dürfen höchstens $1 Zellen haben.',
  ],
  [
    /^The value must be a decimal number as text, such as `[\d.]+`\.$/,
    'Der Wert muss eine Zahl sein.',
  ],
  [/^The value must be a date such as `[\d-]+`\.$/, 'Der Wert muss ein Datum sein.'],
  [
    /^A tag must have 1 to 256 characters without control characters and commas\.$/,
    'Ein Schlagwort muss 1 bis 256 Zeichen haben, ohne Steuerzeichen und Kommas.',
  ],
  [
    /^A tag must have 1 to 256 characters without control characters\.$/,
    'Der Name eines Felds muss 1 bis 256 Zeichen haben, ohne Steuerzeichen.',
  ],
  [/^Set at least one field\.$/, 'Ändern Sie mindestens ein Feld.'],
  [/^You are not allowed to do this\.$/, 'Sie dürfen dies nicht tun.'],
  [/^The (?:document|form|object) was not found\.$/, 'Das Objekt wurde nicht gefunden.'],
];

/** Returns a message of the gateway in a language. Null: it is not known, such as a text that comes from the DMS. */
export function translateMessage(message: string, language: Language): string | null {
  if (language === 'en') return null;
  const [, text = '', more] = /^(.*?)(?: \(and (\d+) more\))?$/s.exec(message) ?? [];
  for (const [pattern, german] of germanMessages) {
    if (pattern.test(text)) {
      return text.replace(pattern, german) + (more === undefined ? '' : ` (und ${more} weitere)`);
    }
  }
  return null;
}
