import { readdirSync, readFileSync } from 'node:fs';
import { examplesFrom, type Example } from '../../examples/playground/src/examples/examples.ts';

const folder = new URL('../../examples/', import.meta.url);

/** The operations of the folder `examples`, as the playground offers them. */
export function readExamples(): readonly Example[] {
  const names = readdirSync(folder).filter((name) => /\.(?:graphql|json)$/.test(name));
  const texts = names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
  return examplesFrom(Object.fromEntries(texts) as Record<string, string>);
}
