import type { GraphQLError } from 'graphql';
import { badInput } from '../../schema/graphql-error.ts';

/** Maximum length of a list, as of the longest list of an input type (`rows` of a table). */
const maxEntries = 10_000;
/** Maximum number of keys of an object, far above what input types and stored JSON need. */
const maxKeys = 1000;
/** Maximum nesting of lists and objects. */
const maxLevels = 100;
/**
 * Maximum number of values, which is enough for a table of 10,000 rows with 10 columns. graphql-js needs about 1 µs for
 * a scalar, twice as long for a list, and five times as long for an object, so they count as that many values.
 */
const maxValues = 125_000;
const valuesPerList = 1;
const valuesPerObject = 4;

/**
 * Rejects variables that no type of this schema accepts, and those with so many values that reading them would block
 * the event loop. graphql-js would read such values completely, and more than once, before the schema rejects them.
 *
 * @returns an error with `BAD_USER_INPUT` and the path of the value that exceeds a limit, or null
 */
export function checkVariables(variables: unknown): GraphQLError | null {
  const path: Path = [];
  const excess = findExcess(variables, maxLevels, path, { left: maxValues });
  return excess === null ? null : badInput(`The variables contain ${excess}${shownPath(path)}.`);
}

/** Whether a value has more values than this, or exceeds another limit of variables. */
export function hasTooManyValues(value: unknown, max: number): boolean {
  return findExcess(value, maxLevels, [], { left: max }) !== null;
}

const tooMany = `too many values; at most ${maxValues} are allowed, where a list counts ${valuesPerList} more and an object ${valuesPerObject} more`;

/** Keys and indexes of a value. */
type Path = (string | number)[];

/**
 * Stops at the first value that exceeds a limit.
 *
 * @param path of `value`, and afterwards of the value that was found
 * @param values number that is left
 */
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

/** A path for the end of a message. Empty for the variables themselves. */
function shownPath(path: Path): string {
  if (path.length === 0) return '';
  const shown = path
    .slice(0, maxShownKeys)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key.slice(0, maxKeyLength)}`))
    .join('');
  const rest = path.length > maxShownKeys ? '…' : '';
  return ` (at ${JSON.stringify(shown.replace(/^\./, '') + rest)})`;
}
