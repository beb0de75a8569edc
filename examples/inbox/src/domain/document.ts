/**
 * Returns the topic of a document, a field that the sandbox has in addition to those of the schema. Null without a
 * topic.
 */
export function topicOf(extra: Record<string, unknown> | null | undefined): string | null {
  const topic = extra?.['topic'];
  return typeof topic === 'string' && topic !== '' ? topic : null;
}
