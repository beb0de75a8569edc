import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/rest/client/transport/body-text.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text));

describe('parseJson', () => {
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
    expect(parse(number)).toBe(number);
    expect(parse(` { "a" : ${number} , "b":[1,[${number}]]}`)).toEqual({
      a: number,
      b: [1, [number]],
    });
  });

  it.each(['9007199254740991', '-9007199254740991', '0.12345678901234568', '1e2', '-0', '5e-324'])(
    'returns the number %s as a number',
    (number) => {
      expect(parse(`[${number}]`)).toEqual([Number(number)]);
    },
  );

  it('leaves texts and property names as they are', () => {
    const text = '{"12345678901234567890":"a,12345678901234567890","__proto__":[":1e20"]}';
    expect(parse(text)).toStrictEqual(JSON.parse(text));
  });

  it('takes a time that grows with the length of the text', () => {
    const text = `["${',1'.repeat(100_000)}${'1'.repeat(100_000)}"]`;
    expect(parse(text)).toStrictEqual(JSON.parse(text));
  });
});
