import { temporaryFile } from './temporary-directory.ts';

/** Writes a file of forms, which is removed when the test ends. */
export function formsFile(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return temporaryFile('forms.json', text);
}

/** A custom field as the DMS sends it. */
export const customField = (type: string, fieldName: string, more: object = {}): object => ({
  type,
  fieldName,
  required: false,
  prefix: '',
  name: { en: fieldName },
  ...more,
});

/** A form as the DMS lists it. */
export const wireForm = (shortId: string, customFields: readonly object[], more: object = {}) => ({
  _id: Buffer.from(shortId.padEnd(12, '.').slice(0, 12)).toString('hex'),
  _id_web: shortId,
  doctitle_en: shortId,
  doccf: { customFields },
  ...more,
});
