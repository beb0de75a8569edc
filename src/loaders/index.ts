import type { DocumentResponse } from '../model/document-response.ts';
import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import type { OrgUnit } from '../model/org-unit.ts';
import type { Organization } from '../model/organization.ts';
import type { Person } from '../model/person.ts';
import type { Dms } from '../rest/dms.ts';
import { createDocumentLoader, type DocumentLoader } from './document-loader.ts';
import { createFormLoader, type FormLoader } from './form-loader.ts';
import { PerKey } from './keyed-loader.ts';

/** The reads of one request: every key at most once, until `clear` forgets them all. Every field is a loader. */
export class Loaders {
  readonly document: DocumentLoader;
  readonly documentResponse: PerKey<DocumentResponse>;
  readonly organization: PerKey<Organization>;
  readonly listValue: PerKey<ListValue>;
  /** The values of a directory, by its full id. */
  readonly valuesOf: PerKey<readonly ListValue[]>;
  /** All directories, under the one key `''`. */
  readonly directories: PerKey<readonly ListValue[]>;
  readonly form: FormLoader;
  readonly person: PerKey<Person>;
  readonly orgUnit: PerKey<OrgUnit>;
  /** The text read from a document, by its id; behind a space the page, counted from 0, if it is not the whole text. */
  readonly recognizedText: PerKey<RecognizedText>;

  constructor(dms: Dms) {
    const primed = async (
      reading: Promise<readonly ListValue[]>,
    ): Promise<readonly ListValue[]> => {
      const values = await reading;
      for (const value of values) this.listValue.prime(value.fullId, value);
      return values;
    };
    this.document = createDocumentLoader(dms.documents.get);
    this.documentResponse = new PerKey(dms.documentResponses.get);
    this.organization = new PerKey(dms.organizations.get);
    this.listValue = new PerKey(dms.listValues.get);
    this.valuesOf = new PerKey((directoryId) => primed(dms.listValues.inDirectory(directoryId)));
    this.directories = new PerKey(() => primed(dms.listValues.directories()));
    this.form = createFormLoader(dms.forms);
    this.person = new PerKey(dms.persons.get);
    this.orgUnit = new PerKey(dms.orgUnits.get);
    this.recognizedText = new PerKey((key) => {
      const [id, page] = key.split(' ');
      return dms.recognition.text(id!, page === undefined ? undefined : Number(page));
    });
  }

  /** Forgets everything: after a write, nothing that was read before need still be true. */
  clear(): void {
    for (const loader of Object.values(this) as { clear(): void }[]) loader.clear();
  }
}
