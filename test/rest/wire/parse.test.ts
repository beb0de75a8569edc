import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  bool,
  idOrNull,
  int,
  members,
  number,
  text,
  timestamp,
  translations,
} from '../../../src/rest/wire/parse.ts';
import { valuesFromWire } from '../../../src/rest/wire/field-values.ts';

describe('reading one value', () => {
  it.each<[unknown, number | null]>([
    [7, 7],
    ['7', 7],
    [' 8 ', 8],
    [7.5, null],
    ['7x', null],
    ['', null],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, null],
    ['1e3', 1000],
    [true, null],
    [[], null],
    [{}, null],
    [null, null],
    [undefined, null],
    [Number.NaN, null],
  ])('reads %j as the integer %j', (value, expected) => {
    expect(int(value)).toBe(expected);
  });

  it.each<[unknown, number | null]>([
    [0.97, 0.97],
    ['0.97', 0.97],
    ['Infinity', null],
    ['', null],
  ])('reads %j as the number %j', (value, expected) => {
    expect(number(value)).toBe(expected);
  });

  it.each<[unknown, string | null]>([
    ['a', 'a'],
    ['', null],
    [5, '5'],
    [false, 'false'],
    [{}, null],
    [[], null],
    [null, null],
  ])('reads %j as the text %j', (value, expected) => {
    expect(text(value)).toBe(expected);
  });

  it.each<[unknown, boolean | null]>([
    [true, true],
    ['true', true],
    [1, true],
    ['false', false],
    [0, false],
    ['', null],
    ['yes', null],
    [null, null],
  ])('reads %j as the boolean %j', (value, expected) => {
    expect(bool(value)).toBe(expected);
  });

  it.each<[unknown, string | null]>([
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07Z'],
    ['2026-03-04T05:06:07+02:00', '2026-03-04T03:06:07.000Z'],
    ['2026-03-04T05:06:07', '2026-03-04T05:06:07.000Z'],
    ['yesterday', null],
    [1_700_000_000_000, null],
    [null, null],
  ])('reads %j as the time %j', (value, expected) => {
    expect(timestamp(value)).toBe(expected);
  });

  it('reads a time without a zone as UTC in every time zone', () => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(2026, 0).getTimezoneOffset()).toBe(300);
    expect(timestamp('2026-03-04T05:06:07')).toBe('2026-03-04T05:06:07.000Z');
  });

  it.each<[unknown, string | null]>([
    ['usr-ann', 'usr-ann'],
    ['Ünit 1', 'Ünit 1'],
    ['a/b', null],
    ['..', null],
    ['', null],
    [7, null],
    [{}, null],
  ])('reads %j as the ID %j', (value, expected) => {
    expect(idOrNull(value)).toBe(expected);
    const ids = members([value, 'unit1'], idOrNull);
    expect(ids).toEqual(expected === null ? ['unit1'] : [expected, 'unit1']);
  });

  it('reads translations in the order of the service', () => {
    expect(translations({ de: 'Eins', en: '', fr: null, __proto__: null, es: 'Uno' })).toEqual([
      { language: 'de', text: 'Eins' },
      { language: 'es', text: 'Uno' },
    ]);
    expect(translations('bare')).toEqual([{ language: '', text: 'bare' }]);
    expect(translations(['x'])).toEqual([]);
  });
});

describe('field values', () => {
  it('are text and tables in the order of the service', () => {
    const byTags = JSON.parse(
      '{"b":"x","rows":[["n","sum"],["1","2","cut"],["3"],[null,4]],"a":"","n":5,' +
        '"none":null,"empty":[],"odd":["u","v"],"deep":{"k":1},"__proto__":"own","constructor":"c"}',
    ) as unknown;
    const values = valuesFromWire(byTags);
    expect(values.byTags).toBe(byTags);
    const read = values.list().map((value) => {
      if (value.kind === 'text') return value;
      const { kind, tag, columns, rows } = value;
      return { kind, tag, columns, rows };
    });
    expect(read).toEqual([
      { kind: 'text', tag: 'b', text: 'x' },
      {
        kind: 'table',
        tag: 'rows',
        columns: ['n', 'sum'],
        rows: [['1', '2'], ['3'], ['', '4']],
      },
      { kind: 'text', tag: 'a', text: '' },
      { kind: 'text', tag: 'n', text: '5' },
      { kind: 'table', tag: 'empty', columns: [], rows: [] },
      { kind: 'text', tag: 'odd', text: '["u","v"]' },
      { kind: 'text', tag: 'deep', text: '{"k":1}' },
      { kind: 'text', tag: '__proto__', text: 'own' },
      { kind: 'text', tag: 'constructor', text: 'c' },
    ]);
  });

  it('are also read individually', () => {
    const values = valuesFromWire(JSON.parse('{"a":"x","none":null,"__proto__":"own"}'));
    expect(values.value('a')).toEqual({ kind: 'text', tag: 'a', text: 'x' });
    expect(values.value('__proto__')).toEqual({ kind: 'text', tag: '__proto__', text: 'own' });
    expect(values.value('none')).toBeNull();
    expect(values.value('constructor')).toBeNull();
  });

  it('have the size of a table before its rows are parsed', () => {
    const unread = (row: readonly string[]) =>
      Object.assign([...row], {
        slice() {
          throw new Error('a row was read');
        },
      });
    const values = valuesFromWire({
      t: [['n', 'sum'], unread(['1', '2', 'cut']), unread(['3']), unread([])],
      empty: [],
    });
    expect(values.value('t')).toMatchObject({ columnCount: 2, rowCount: 3, cellCount: 3 });
    expect(values.value('empty')).toMatchObject({ columnCount: 0, rowCount: 0, cellCount: 0 });
  });

  it.each([[undefined], [null], [''], [[]], [5]])('are empty for %j', (value) => {
    const values = valuesFromWire(value);
    expect(values.byTags).toBeNull();
    expect(values.list()).toEqual([]);
    expect(values.value('a')).toBeNull();
  });
});
