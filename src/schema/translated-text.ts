import { lookupTags, maxTag, type Translation } from '../model/common.ts';
import type { ObjectFieldBuilder, OutputField } from './builder.ts';
import { TranslationRef } from './refs.ts';

/** The fields `one`, a text in the requested language, and `all`, its translations. */
export function translatedFields<Shape, One extends string, All extends string>(
  t: ObjectFieldBuilder<Shape>,
  [one, all]: readonly [One, All],
  what: string,
  translationsOf: (object: Shape) => readonly Translation[] | undefined,
): Record<One | All, OutputField<unknown>> {
  const text = t.string({
    nullable: true,
    args: {
      language: t.arg.string({
        description:
          'Preferred language, such as `en`. Without a text in `en-GB`, that in `en` is next, then one in another `en-…`; case is ignored. Default: the languages of the `Accept-Language` header.',
      }),
    },
    description: `${what} in the requested language. Falls back to the languages of the \`Accept-Language\` header, then to the first translation.`,
    resolve: (object, { language }, { languages }) =>
      translated(translationsOf(object) ?? [], language, languages),
  });
  const translations = t.field({
    type: [TranslationRef],
    description: `All translations of the ${what.toLowerCase()}.`,
    resolve: (object) => translationsOf(object) ?? [],
  });
  return { [one]: text, [all]: translations } as Record<One | All, OutputField<unknown>>;
}

/**
 * Returns the text in the requested language, otherwise in the first accepted language, otherwise the first
 * translation. Null if there is none.
 * @param accepted tags in lower case
 */
function translated(
  translations: readonly Translation[],
  language: string | null | undefined,
  accepted: readonly string[],
): string | null {
  const ranks = ranksOf(language ?? null, accepted);
  if (translations.length > fewTranslations) {
    const index = indexOf(translations);
    const wanted = ranks.keys().find((pattern) => index.has(pattern));
    return (wanted === undefined ? translations[0] : index.get(wanted))?.text ?? null;
  }
  let best = translations[0];
  let bestRank = Infinity;
  for (const translation of translations) {
    const rank = rankOf(translation.language, ranks);
    if (rank < bestRank) [best, bestRank] = [translation, rank];
  }
  return best?.text ?? null;
}

function rankOf(language: string, ranks: Ranks): number {
  const patterns = patternsOf(language.toLowerCase());
  return Math.min(...patterns.map((pattern) => ranks.get(pattern) ?? Infinity));
}

/** A tag in lower case, and the patterns of those that are less specific: `pt-br` and `pt-*`. */
function patternsOf(tag: string): string[] {
  const patterns = [tag];
  for (let at = tag.indexOf('-'); at !== -1 && at <= maxTag; at = tag.indexOf('-', at + 1)) {
    patterns.push(`${tag.slice(0, at)}-*`);
  }
  return patterns;
}

type Ranks = ReadonlyMap<string, number>;

/* A list of objects has the same languages for each, and a text can be selected under many aliases. */
const knownRanks = new WeakMap<readonly string[], Map<string | null, Ranks>>();
const indexes = new WeakMap<readonly Translation[], ReadonlyMap<string, Translation>>();

/**
 * The patterns of languages in the order of preference, with their positions. `pt-BR` is followed by `pt` (RFC 4647, 3.4),
 * and `pt` by the languages that are more specific (3.3.1). Others of the same language are better than any other.
 */
function ranksOf(language: string | null, accepted: readonly string[]): Ranks {
  const known = knownRanks.get(accepted) ?? new Map<string | null, Ranks>();
  knownRanks.set(accepted, known);
  let ranks = known.get(language);
  if (ranks === undefined) {
    const ranges = language === null ? accepted : [language, ...accepted];
    const tags = ranges.map(lookupTags);
    const preferred = tags.flatMap(([tag = '', ...general]) => [tag, `${tag}-*`, ...general]);
    const related = tags.flat().map((tag) => `${tag}-*`);
    ranks = new Map([...new Set([...preferred, ...related])].map((tag, rank) => [tag, rank]));
    known.set(language, ranks);
  }
  return ranks;
}

const fewTranslations = 50;

function indexOf(translations: readonly Translation[]): ReadonlyMap<string, Translation> {
  let index = indexes.get(translations);
  if (index === undefined) {
    const found = new Map<string, Translation>();
    for (const translation of translations) {
      for (const pattern of patternsOf(translation.language.toLowerCase())) {
        if (!found.has(pattern)) found.set(pattern, translation);
      }
    }
    index = found;
    indexes.set(translations, index);
  }
  return index;
}
