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
  const check = new VariableCheck();
  const excess = check.findExcess(variables, maxLevels);
  return excess === null ? null : badInput(`The variables contain ${excess}${check.place}.`);
}

const maxShownKeys = 20;
const maxKeyLength = 64;

class VariableCheck {
  #values = 0;
  /** Keys of the current list or object. */
  readonly #path: (string | number)[] = [];

  /** The path of the last value that was visited, for the end of a message. Empty for the variables themselves. */
  get place(): string {
    if (this.#path.length === 0) return '';
    const shown = this.#path.slice(0, maxShownKeys);
    const rest = this.#path.length > shown.length ? '…' : '';
    const text = shown
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key.slice(0, maxKeyLength)}`))
      .join('');
    return ` (at ${JSON.stringify(text.replace(/^\./, '') + rest)})`;
  }

  /** Stops at the first value that exceeds a limit. */
  findExcess(value: unknown, levels: number): string | null {
    if (typeof value !== 'object' || value === null) return null;
    if (levels === 0) return `more than ${maxLevels} levels of nesting`;
    return Array.isArray(value)
      ? this.#findInList(value, levels)
      : this.#findInObject(value as Readonly<Record<string, unknown>>, levels);
  }

  #findInList(list: readonly unknown[], levels: number): string | null {
    if (list.length > maxEntries) {
      return `a list with ${list.length} entries; at most ${maxEntries} are allowed`;
    }
    if (this.#exceeds(list.length + valuesPerList)) return tooMany;
    for (let i = 0; i < list.length; i += 1) {
      const excess = this.#findBelow(i, list[i], levels);
      if (excess !== null) return excess;
    }
    return null;
  }

  #findInObject(object: Readonly<Record<string, unknown>>, levels: number): string | null {
    const keys = Object.keys(object);
    if (keys.length > maxKeys) {
      return `an object with ${keys.length} keys; at most ${maxKeys} are allowed`;
    }
    if (this.#exceeds(keys.length + valuesPerObject)) return tooMany;
    for (const key of keys) {
      const excess = this.#findBelow(key, object[key], levels);
      if (excess !== null) return excess;
    }
    return null;
  }

  #findBelow(key: string | number, value: unknown, levels: number): string | null {
    if (typeof value !== 'object' || value === null) return null;
    this.#path.push(key);
    const excess = this.findExcess(value, levels - 1);
    if (excess === null) this.#path.pop();
    return excess;
  }

  #exceeds(count: number): boolean {
    this.#values += count;
    return this.#values > maxValues;
  }
}

const tooMany = `too many values; at most ${maxValues} are allowed, where a list counts ${valuesPerList} more and an object ${valuesPerObject} more`;
