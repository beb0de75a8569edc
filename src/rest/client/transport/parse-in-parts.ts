import { randomUUID } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';

/** A member or item that is a number of 16 digits or with an exponent, or a text that contains the same characters. */
const longNumber = /[:[,]\s*-?\d(?:\d{15}|[\d.]*e)/i;
const isContainer = /^\s*[[{]/;

/**
 * Parses JSON as `JSON.parse` does, except that numbers beyond 2^53, which would lose digits, become their text.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseJsonText(text: string): unknown {
  // Reading the source of each number takes seven times as long.
  const isPlain = isContainer.test(text) && !longNumber.test(text);
  return isPlain ? JSON.parse(text) : JSON.parse(text, withAllDigits);
}

/** @param context has the source of a value that is no container */
function withAllDigits(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const losesDigits = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return losesDigits ? (context?.source ?? value) : value;
}

/** JSON up to this size is parsed at once. */
export const maxSmallBytes = 2 ** 19;
/** Parsing a part takes a few milliseconds. If it consists of empty objects, it takes about 10, most of it for memory. */
const defaultPartBytes = 64 * 1024;
/** A part that contains a longer string would take more than 50 ms. */
const maxPartBytes = 4 * 2 ** 20;
/** Responses of the DMS have a few levels of nesting. Thousands would overflow the stack when serialized. */
const maxDepth = 1000;
/** Many tiny values take 30 times their size in memory, whose collection blocks the event loop. */
const maxValues = 2_500_000;
/** The table of an object with more properties is enlarged in one step that takes too long. */
const maxMembers = 100_000;
/** The key that stands for the earlier members of an object. The DMS cannot know it. */
const earlierMembers = randomUUID();

/**
 * Parses JSON as `parseJsonText` does, with an iteration of the event loop after each part.
 *
 * The text is cut at commas. The brackets that are open at the end of a part are closed, and reopened in front of the
 * next part, whose members are then added to those containers. bench/NOTES.md compares this with libraries.
 *
 * @param checkCancelled called between parts; ends the parsing by throwing
 * @param partBytes minimum size of a part but the last
 * @throws {RangeError} for more than 1000 levels of nesting, 2,500,000 values, 100,000 members of one object, or a string
 * of 4 MiB
 * @throws {SyntaxError} if it is not JSON
 */
export async function parseInParts(
  bytes: Buffer,
  checkCancelled: () => void,
  partBytes = defaultPartBytes,
): Promise<unknown> {
  const parser = new PartParser(bytes, partBytes);
  while (parser.parsePart()) {
    await nextIteration();
    checkCancelled();
  }
  if (parser.values.length !== 1) throw new SyntaxError('Expected one JSON value');
  return parser.values[0];
}

/** An array or object whose end has not been reached. */
interface Container {
  readonly isArray: boolean;
  /** The last string in front of it. In an object, this is its key. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Number of members that were added after the first part. */
  members: number;
  /** Undefined while it is in no parsed part. */
  value: unknown[] | Record<string, unknown> | undefined;
}

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20];
const [arrayStart, arrayEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

class PartParser {
  /** The values at the top level. */
  readonly values: unknown[] = [];
  readonly #bytes: Buffer;
  readonly #partBytes: number;
  readonly #open: Container[] = [
    { isArray: true, keyStart: 0, keyEnd: 0, members: 0, value: this.values },
  ];
  /** The end of the last part. */
  #parsedTo = 0;
  #valueCount = 0;

  constructor(bytes: Buffer, partBytes: number) {
    this.#bytes = bytes;
    this.#partBytes = partBytes;
  }

  /** Parses the next part. Returns whether there is another one. */
  parsePart(): boolean {
    const bytes = this.#bytes;
    const start = this.#parsedTo;
    const before = [...this.#open];
    const { end, shared } = this.#scan();
    // All containers from the innermost that the whole part is in.
    const [reopened, open] = [before.slice(shared - 1), this.#open.slice(shared - 1)];
    const text = [
      ...reopened.map(({ isArray }) => (isArray ? '[' : `{"${earlierMembers}":`)),
      start === 0 ? '0,' : '0',
      bytes.toString('utf8', start, end),
      ...open.map(({ isArray }) => (isArray ? ']' : '}')).toReversed(),
    ];
    let part = parseJsonText(text.join(''));
    for (const container of reopened) part = addMembers(container, part);
    for (const [index, container] of open.entries()) {
      container.value ??= this.#lastMember(open[index - 1], container);
    }
    this.#parsedTo = end;
    return end < bytes.length;
  }

  /** Finds the end of the next part. `shared` is the number of containers that are open everywhere in the part. */
  #scan(): { end: number; shared: number } {
    const bytes = this.#bytes;
    const open = this.#open;
    const minEnd = this.#parsedTo + this.#partBytes;
    const maxEnd = Math.min(bytes.length, this.#parsedTo + maxPartBytes);
    let shared = open.length;
    let isEmpty = false;
    let [keyStart, keyEnd] = [0, 0];
    for (let at = this.#parsedTo; at < maxEnd; at += 1) {
      const byte = bytes[at]!;
      if (byte === comma) {
        this.#valueCount += 1;
        if (this.#valueCount > maxValues) throw new RangeError('Too many values');
        // `[,1]` is not cut after the bracket, because both parts would be valid.
        if (at >= minEnd && !isEmpty) return { end: at, shared };
      } else if (byte === arrayStart || byte === objectStart) {
        if (open.length > maxDepth) throw new RangeError('Too many levels of nesting');
        open.push({ isArray: byte === arrayStart, keyStart, keyEnd, members: 0, value: undefined });
        isEmpty = true;
      } else if (byte > space) {
        isEmpty = false;
        if (byte === quote) {
          keyStart = at;
          at = this.#endOfString(at, maxEnd);
          keyEnd = at + 1;
        } else if (byte === arrayEnd || byte === objectEnd) {
          open.pop();
          shared = Math.min(shared, open.length);
          if (shared === 0) throw new SyntaxError('Unexpected bracket');
        }
      }
    }
    if (maxEnd < bytes.length) throw new RangeError('Too long a value');
    if (open.length > 1) throw new SyntaxError('Unexpected end');
    return { end: bytes.length, shared };
  }

  #endOfString(start: number, maxEnd: number): number {
    const bytes = this.#bytes;
    let at = start + 1;
    while (at < maxEnd && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    return at;
  }

  #lastMember(parent: Container | undefined, { keyStart, keyEnd }: Container): Container['value'] {
    const value = parent?.value;
    // A container in a container that was parsed: an array or object.
    return (
      Array.isArray(value)
        ? value.at(-1)
        : value?.[JSON.parse(this.#bytes.toString('utf8', keyStart, keyEnd)) as string]
    ) as Container['value'];
  }
}

/** Adds the members of a part to a container. Returns the first one, which stands for the earlier members. */
function addMembers(container: Container, part: unknown): unknown {
  const { value: known } = container;
  if (Array.isArray(known) && Array.isArray(part)) {
    for (let at = 1; at < part.length; at += 1) known.push(part[at]);
    return part[0];
  }
  const { [earlierMembers]: earlier, ...members } = part as Record<string, unknown>;
  const added = Object.entries(members);
  container.members += added.length;
  if (container.members > maxMembers) throw new RangeError('Too many members of an object');
  for (const [key, value] of added) {
    // Unlike an assignment, this creates a property with the name `__proto__`.
    const property = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(known, key, property);
  }
  return earlier;
}
