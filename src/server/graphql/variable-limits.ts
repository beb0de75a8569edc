import type { GraphQLError } from 'graphql';
import { badInput } from '../../schema/graphql-error.ts';

const maxEntries = 10_000;
const maxKeys = 1000;
const maxLevels = 100;
const maxValues = 125_000;
const valuesPerList = 1;
const valuesPerObject = 4;

/**
 * Rejects variables that no type of this schema accepts, and those with so many values that reading them would block
 * the event loop. graphql-js would read such values completely, and more than once, before the schema rejects them.
 */
export function checkVariables(variables: unknown): GraphQLError | null {
  const path: Path = [];
  const excess = findExcess(variables, maxLevels, path, { left: maxValues });
  return excess === null ? null : badInput(`The variables contain ${excess}${shownPath(path)}.`);
}

export function hasTooManyValues(value: unknown, max: number): boolean {
  return findExcess(value, maxLevels, [], { left: max }) !== null;
}

const tooMany = `too many values; at most ${maxValues} are allowed, where a list counts ${valuesPerList} more and an object ${valuesPerObject} more`;

type Path = (string | number)[];

function findExcess(
  value: unknown,
  levels: number,
  path: Path,
  values: { left: number },
): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `more than ${maxLevels} levels of nesting`;
  const isList = Array.isArray(value);
  const [count, max] = isList ? [value.length, maxEntries] : [Object.keys(value).length, maxKeys];
  if (count > max) {
    const what = isList ? `a list with ${count} entries` : `an object with ${count} keys`;
    return `${what}; at most ${max} are allowed`;
  }
  values.left -= count + (isList ? valuesPerList : valuesPerObject);
  if (values.left < 0) return tooMany;
  const members: Iterable<[string | number, unknown]> = isList
    ? value.entries()
    : Object.entries(value);
  for (const [key, member] of members) {
    if (typeof member !== 'object' || member === null) continue;
    path.push(key);
    const excess = findExcess(member, levels - 1, path, values);
    if (excess !== null) return excess;
    path.pop();
  }
  return null;
}

const maxShownKeys = 20;
const maxKeyLength = 64;

function shownPath(path: Path): string {
  if (path.length === 0) return '';
  const shown = path
    .slice(0, maxShownKeys)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key.slice(0, maxKeyLength)}`))
    .join('');
  const rest = path.length > maxShownKeys ? '…' : '';
  return ` (at ${JSON.stringify(shown.replace(/^\./, '') + rest)})`;
}
