import type { DocumentResponse } from '../model/document-response.ts';
import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import type { OrgUnit } from '../model/org-unit.ts';
import type { Organization } from '../model/organization.ts';
import type { Person } from '../model/person.ts';
import type { Dms } from '../rest/dms.ts';
import { DocumentLoader } from './document-loader.ts';
import { createFormLoader, type FormLoader } from './form-loader.ts';
import { KeyedLoader } from './keyed-loader.ts';

/** The loaders of one operation. Each key is read at most once until `clear`. Every field is a loader. */
export class Loaders {
  readonly document: DocumentLoader;
  readonly documentResponse: KeyedLoader<DocumentResponse>;
  readonly organization: KeyedLoader<Organization>;
  /** The full ID of the organization that has an ID now, for writes. It never comes from the cache. */
  readonly organizationFullId: KeyedLoader<string>;
  readonly listValue: KeyedLoader<ListValue>;
  /** The values of a directory by its full ID. */
  readonly valuesOf: KeyedLoader<readonly ListValue[]>;
  /** All directories. The only key is `''`. */
  readonly directories: KeyedLoader<readonly ListValue[]>;
  readonly form: FormLoader;
  readonly person: KeyedLoader<Person>;
  readonly orgUnit: KeyedLoader<OrgUnit>;
  /**
   * Recognized text. The key is the page (counted from 0; empty for all pages), a space and the document ID, which can
   * contain spaces itself.
   */
  readonly recognizedText: KeyedLoader<RecognizedText>;

  constructor(dms: Dms) {
    const primed = async (
      pendingRead: Promise<readonly ListValue[]>,
    ): Promise<readonly ListValue[]> => {
      const values = await pendingRead;
      for (const value of values) this.listValue.prime(value.fullId, value);
      return values;
    };
    this.document = new DocumentLoader(dms.documents.get);
    this.documentResponse = new KeyedLoader(dms.documentResponses.get);
    this.organization = new KeyedLoader(dms.organizations.get);
    this.organizationFullId = new KeyedLoader(dms.organizations.fullIdOf);
    this.listValue = new KeyedLoader(dms.listValues.get);
    this.valuesOf = new KeyedLoader((directoryId) =>
      primed(dms.listValues.inDirectory(directoryId)),
    );
    this.directories = new KeyedLoader(() => primed(dms.listValues.directories()));
    this.form = createFormLoader(dms.forms);
    this.person = new KeyedLoader(dms.persons.get);
    this.orgUnit = new KeyedLoader(dms.orgUnits.get);
    this.recognizedText = new KeyedLoader((key) => {
      const space = key.indexOf(' ');
      const page = space === 0 ? undefined : Number(key.slice(0, space));
      return dms.recognition.text(key.slice(space + 1), page);
    });
  }

  /** Discards everything that was read. Called after a write, which may have changed any object. */
  clear(): void {
    for (const loader of Object.values(this) as { clear(): void }[]) loader.clear();
  }
}
