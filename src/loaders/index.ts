import type { ListValue } from '../model/list-value.ts';
import type { Dms } from '../rest/dms.ts';
import { createDocumentLoader } from './document-loader.ts';
import { createFormLoader } from './form-loader.ts';
import { perKey } from './per-key.ts';

export type Loaders = ReturnType<typeof createLoaders>;

/** The reads of one request: every key at most once, until `clear` forgets them all. */
export function createLoaders(dms: Dms) {
  const listValue = perKey(dms.listValues.get);
  const primed = async (reading: Promise<readonly ListValue[]>): Promise<readonly ListValue[]> => {
    const values = await reading;
    for (const value of values) listValue.prime(value.fullId, value);
    return values;
  };
  const text = perKey((key) => {
    const [id, page] = key.split(' ');
    return dms.recognition.text(id!, page === undefined ? undefined : Number(page));
  });
  const loaders = {
    document: createDocumentLoader(dms.documents.get),
    documentResponse: perKey(dms.documentResponses.get),
    organization: perKey(dms.organizations.get),
    listValue,
    /** The values of a directory, by its full id. */
    valuesOf: perKey((directoryId) => primed(dms.listValues.inDirectory(directoryId))),
    /** All directories, under the one key `''`. */
    directories: perKey(() => primed(dms.listValues.directories())),
    form: createFormLoader(dms.forms),
    person: perKey(dms.persons.get),
    orgUnit: perKey(dms.orgUnits.get),
    text,
  };
  return {
    ...loaders,
    /** The text read from a document: one page, counted from 0, or all of them. */
    recognizedText: (documentId: string, page: number | null) =>
      text.load(page === null ? documentId : `${documentId} ${page}`),
    /** Forgets everything: after a write, nothing that was read before need still be true. */
    clear(): void {
      for (const loader of Object.values(loaders)) loader.clear();
    },
  };
}
