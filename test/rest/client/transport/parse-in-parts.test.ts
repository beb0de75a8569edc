import { array, assert, asyncProperty, constantFrom, integer, json, oneof } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseInParts,
  parseJsonText,
} from '../../../../src/rest/client/transport/parse-in-parts.ts';

const parse = (text: string, partBytes?: number): Promise<unknown> =>
  parseInParts(Buffer.from(text), () => {}, partBytes);

const outcomeOf = async (read: () => unknown): Promise<unknown> => {
  try {
    return { value: await read() };
  } catch {
    return 'not JSON';
  }
};

const partSizes = integer({ min: 1, max: 40 });

describe('parseJsonText', () => {
  it.each([
    '9007199254740993',
    '-12345678901234567890',
    '12345678901234567890.5',
    '1e20',
    '-1E16',
    '1.5e+300',
    '123456789.5e9',
    '1e999999',
  ])('returns the number %s as text', (number) => {
    expect(parseJsonText(number)).toBe(number);
    expect(parseJsonText(` { "a" : ${number} , "b":[1,[${number}]]}`)).toEqual({
      a: number,
      b: [1, [number]],
    });
  });

  it.each(['9007199254740991', '-9007199254740991', '0.12345678901234568', '1e2', '-0', '5e-324'])(
    'returns the number %s as a number',
    (number) => {
      expect(parseJsonText(`[${number}]`)).toEqual([Number(number)]);
    },
  );

  it('leaves texts and property names as they are', () => {
    const text = '{"12345678901234567890":"a,12345678901234567890","__proto__":[":1e20"]}';
    expect(parseJsonText(text)).toStrictEqual(JSON.parse(text));
  });

  it('takes a time that grows with the length of the text', () => {
    const text = `["${',1'.repeat(100_000)}${'1'.repeat(100_000)}"]`;
    expect(parseJsonText(text)).toStrictEqual(JSON.parse(text));
  });
});

describe('parseInParts', () => {
  it('returns what parseJsonText returns, wherever the text is cut', async () => {
    const texts = oneof(
      json(),
      json().map((text) => JSON.stringify(JSON.parse(text), null, 2)),
      constantFrom('{"__proto__":{"a":1},"b":[],"":[{"":1}],"b":[2,3],"1":{},"0":[]}'),
      constantFrom('[1e20,{"a":-12345678901234567890,"b":[ 1E400 ]},9007199254740993,1e2]'),
    );
    await assert(
      asyncProperty(texts, partSizes, async (text, partBytes) => {
        expect(await parse(text, partBytes)).toStrictEqual(parseJsonText(text));
      }),
      { numRuns: 500 },
    );
  });

  it('rejects what JSON.parse rejects, wherever the text is cut', async () => {
    const texts = array(
      constantFrom('[', ']', '{', '}', ',', ':', '"a"', '1', ' ', '"', '\\', 'true', '[1,2]'),
      { maxLength: 12 },
    ).map((tokens) => tokens.join(''));
    await assert(
      asyncProperty(texts, integer({ min: 1, max: 4 }), async (text, partBytes) => {
        expect(await outcomeOf(() => parse(text, partBytes))).toStrictEqual(
          await outcomeOf(() => JSON.parse(text) as unknown),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('reads the levels of nesting that a response can have', async () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(await parse(nested(1000), 100)).toStrictEqual(JSON.parse(nested(1000)));
    await expect(parse(nested(1001), 100)).rejects.toThrow('nesting');
  });

  it('rejects more values and members than can be read without a pause', async () => {
    const list = `[${'0,'.repeat(2_500_001)}0]`;
    await expect(parse(list, 2 ** 16)).rejects.toThrow('Too many values');
    const members = Array.from({ length: 150_000 }, (_, key) => `"${key * 1_000_003}":0`);
    await expect(parse(`{${members.join(',')}}`, 2 ** 16)).rejects.toThrow('Too many members');
  });

  it('rejects a longer text than can be read without a pause', async () => {
    const textOf = (length: number): string => `["${'x'.repeat(length)}"]`;
    const size = 4 * 2 ** 20;
    await expect(parse(textOf(size - 4))).resolves.toHaveLength(1);
    await expect(parse(textOf(size))).rejects.toThrow(RangeError);
    await expect(parse('<'.repeat(size + 1))).rejects.toThrow(RangeError);
  });

  it('leaves the event loop to others between parts', async () => {
    let parsed = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!parsed) setImmediate(count);
    };
    setImmediate(count);
    await parse(`[${'1,'.repeat(5000)}1]`, 1000).finally(() => (parsed = true));
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('ends with its cancellation', async () => {
    let parts = 0;
    const cancel = (): void => {
      parts += 1;
      if (parts === 3) throw new Error('cancelled');
    };
    await expect(parseInParts(Buffer.from(`[${'1,'.repeat(5000)}1]`), cancel, 100)).rejects.toThrow(
      'cancelled',
    );
    expect(parts).toBe(3);
  });
});
