import type { DocumentResponse } from '../model/document-response.ts';
import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import type { OrgUnit } from '../model/org-unit.ts';
import type { Organization } from '../model/organization.ts';
import type { Person } from '../model/person.ts';
import type { Dms } from '../rest/dms.ts';
import { createDocumentLoader, type DocumentLoader } from './document-loader.ts';
import { createFormLoader, type FormLoader } from './form-loader.ts';
import { KeyedLoader } from './keyed-loader.ts';

/** The reads of one request: every key at most once, until `clear` forgets them all. Every field is a loader. */
export class Loaders {
  readonly document: DocumentLoader;
  readonly documentResponse: KeyedLoader<DocumentResponse>;
  readonly organization: KeyedLoader<Organization>;
  readonly listValue: KeyedLoader<ListValue>;
  /** The values of a directory, by its full id. */
  readonly valuesOf: KeyedLoader<readonly ListValue[]>;
  /** All directories, under the one key `''`. */
  readonly directories: KeyedLoader<readonly ListValue[]>;
  readonly form: FormLoader;
  readonly person: KeyedLoader<Person>;
  readonly orgUnit: KeyedLoader<OrgUnit>;
  /** The text read from a document, by its id; behind a space the page, counted from 0, if it is not the whole text. */
  readonly recognizedText: KeyedLoader<RecognizedText>;

  constructor(dms: Dms) {
    const primed = async (
      pendingRead: Promise<readonly ListValue[]>,
    ): Promise<readonly ListValue[]> => {
      const values = await pendingRead;
      for (const value of values) this.listValue.prime(value.fullId, value);
      return values;
    };
    this.document = createDocumentLoader(dms.documents.get);
    this.documentResponse = new KeyedLoader(dms.documentResponses.get);
    this.organization = new KeyedLoader(dms.organizations.get);
    this.listValue = new KeyedLoader(dms.listValues.get);
    this.valuesOf = new KeyedLoader((directoryId) =>
      primed(dms.listValues.inDirectory(directoryId)),
    );
    this.directories = new KeyedLoader(() => primed(dms.listValues.directories()));
    this.form = createFormLoader(dms.forms);
    this.person = new KeyedLoader(dms.persons.get);
    this.orgUnit = new KeyedLoader(dms.orgUnits.get);
    this.recognizedText = new KeyedLoader((key) => {
      const [id, page] = key.split(' ');
      return dms.recognition.text(id!, page === undefined ? undefined : Number(page));
    });
  }

  /** Forgets everything: after a write, what was read before may no longer be true. */
  clear(): void {
    for (const loader of Object.values(this) as { clear(): void }[]) loader.clear();
  }
}
