import { expect, it } from 'vitest';
import { languagesOf } from '../../../src/server/graphql/negotiation.ts';

it.each([
  [undefined, []],
  ['', []],
  ['*', []],
  ['uk', ['uk']],
  ['en;q=0.5, UK', ['uk', 'en']],
  ['en;q=0, uk;q=0.1', ['uk']],
  ['pt-BR, en-US, en', ['pt-br', 'en-us', 'en']],
  ['zh-Hant-TW', ['zh-hant-tw']],
  ['de_AT', ['de']],
  [`en${'-x'.repeat(300)}`, []],
])('languagesOf reads %j', (header, languages) => {
  expect(languagesOf(header)).toEqual(languages);
});
