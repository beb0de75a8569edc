import type { Translate } from '../language/text.ts';

/**
 * Returns the topic of a document, a field that the sandbox has in addition to those of the schema. Null without a
 * topic.
 */
export function topicOf(extra: Record<string, unknown> | null | undefined): string | null {
  const topic = extra?.['topic'];
  return typeof topic === 'string' && topic !== '' ? topic : null;
}

interface Identified {
  readonly shortId: string | null;
  readonly fullId: string;
  readonly extra: Record<string, unknown> | null;
}

export function documentTitle({ shortId, extra }: Omit<Identified, 'fullId'>, t: Translate) {
  return topicOf(extra) ?? shortId ?? t('Document without a title');
}

/** @param list the list that the document is opened from: slug of the view, and query. A link of the document has it. */
export function pathOfDocument({ shortId, fullId }: Omit<Identified, 'extra'>, list?: string) {
  const path = `/app/documents/${encodeURIComponent(shortId ?? fullId)}`;
  return list === undefined ? path : `${path}?${new URLSearchParams({ list }).toString()}`;
}

/** Returns the code of a currency, such as `EUR`. The list of the sandbox has it as the external ID. */
export function currencyOf(
  listValue: { readonly externalId: string | null } | null | undefined,
): string | null {
  const code = listValue?.externalId?.toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Whether a text has the form of a short ID. Those of the sandbox have letters and a number, such as `DOC-0042`. */
export function isShortId(text: string): boolean {
  return /^[A-Z]+-\d{4,}$/.test(text);
}

export function labelOfTag(tag: string): string {
  const words = tag
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? tag : words[0]!.toUpperCase() + words.slice(1);
}
