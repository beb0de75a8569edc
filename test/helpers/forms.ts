import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a file of forms, which is removed when the test ends. */
export function formsFile(content: unknown): string {
  const directory = mkdtempSync(join(tmpdir(), 'forms-file-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'forms.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
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
