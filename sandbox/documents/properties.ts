/** A document from which its stored properties follow. */
interface NewDocument {
  readonly form: { readonly systemType: number };
  readonly created: string;
  readonly docnum: string;
  readonly topic: string;
  /** The number of a document of the first start, from 1. Null for those that are created later. */
  readonly seedNumber: number | null;
}

/**
 * The properties that the sandbox stores and returns as they are, by their names in the API, with their values in a new
 * document. `docnum` and `topic` are not part of the specification.
 */
export const initialProperties = {
  formsystype: ({ form }: NewDocument) => form.systemType,
  datecreated: ({ created }: NewDocument) => created,
  datedue: ({ created, seedNumber }: NewDocument) => dueDate(seedNumber, created),
  docnum: ({ docnum }: NewDocument) => docnum,
  topic: ({ topic }: NewDocument) => topic,
};

type Initial = typeof initialProperties;

export type Properties = { readonly [Name in keyof Initial]: ReturnType<Initial[Name]> };

export function propertiesOf(document: NewDocument): Properties {
  const entries = Object.entries(initialProperties);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of an object have lost their names
  return Object.fromEntries(
    entries.map(([name, valueOf]) => [name, valueOf(document)]),
  ) as Properties;
}

function dueDate(seedNumber: number | null, created: string): string {
  if (seedNumber === null || seedNumber % 3 !== 0) return '';
  return new Date(Date.parse(created) + 30 * 24 * 3600 * 1000).toISOString();
}
