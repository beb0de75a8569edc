import type { DocumentResponse } from '../model/document-response.ts';
import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import type { OrgUnit } from '../model/org-unit.ts';
import type { Organization } from '../model/organization.ts';
import type { Person } from '../model/person.ts';
import type { Dms } from '../rest/dms.ts';
import { createDocumentLoader, type DocumentLoader } from './document-loader.ts';
import { createFormLoader, type FormLoader } from './form-loader.ts';
import { PerKey } from './per-key.ts';

/**
 * The reads of one request: every key at most once, until `clear` forgets them all. A loader is made when it is
 * first used, because every operation has its own and few use more than two.
 */
export class Loaders {
  readonly #dms: Dms;
  #document: DocumentLoader | undefined;
  #documentResponse: PerKey<DocumentResponse> | undefined;
  #organization: PerKey<Organization> | undefined;
  #listValue: PerKey<ListValue> | undefined;
  #valuesOf: PerKey<readonly ListValue[]> | undefined;
  #directories: PerKey<readonly ListValue[]> | undefined;
  #form: FormLoader | undefined;
  #person: PerKey<Person> | undefined;
  #orgUnit: PerKey<OrgUnit> | undefined;
  #text: PerKey<RecognizedText> | undefined;

  constructor(dms: Dms) {
    this.#dms = dms;
  }

  get document(): DocumentLoader {
    return (this.#document ??= createDocumentLoader(this.#dms.documents.get));
  }

  get documentResponse(): PerKey<DocumentResponse> {
    return (this.#documentResponse ??= new PerKey(this.#dms.documentResponses.get));
  }

  get organization(): PerKey<Organization> {
    return (this.#organization ??= new PerKey(this.#dms.organizations.get));
  }

  get listValue(): PerKey<ListValue> {
    return (this.#listValue ??= new PerKey(this.#dms.listValues.get));
  }

  /** The values of a directory, by its full id. */
  get valuesOf(): PerKey<readonly ListValue[]> {
    return (this.#valuesOf ??= new PerKey((directoryId) =>
      this.#primed(this.#dms.listValues.inDirectory(directoryId)),
    ));
  }

  /** All directories, under the one key `''`. */
  get directories(): PerKey<readonly ListValue[]> {
    return (this.#directories ??= new PerKey(() =>
      this.#primed(this.#dms.listValues.directories()),
    ));
  }

  get form(): FormLoader {
    return (this.#form ??= createFormLoader(this.#dms.forms));
  }

  get person(): PerKey<Person> {
    return (this.#person ??= new PerKey(this.#dms.persons.get));
  }

  get orgUnit(): PerKey<OrgUnit> {
    return (this.#orgUnit ??= new PerKey(this.#dms.orgUnits.get));
  }

  /** The text read from a document: one page, counted from 0, or all of them. */
  recognizedText(documentId: string, page: number | null): Promise<RecognizedText | null> {
    this.#text ??= new PerKey((key) => {
      const [id, wanted] = key.split(' ');
      return this.#dms.recognition.text(id!, wanted === undefined ? undefined : Number(wanted));
    });
    return this.#text.load(page === null ? documentId : `${documentId} ${page}`);
  }

  /** Forgets everything: after a write, nothing that was read before need still be true. */
  clear(): void {
    this.#document?.clear();
    this.#documentResponse?.clear();
    this.#organization?.clear();
    this.#listValue?.clear();
    this.#valuesOf?.clear();
    this.#directories?.clear();
    this.#form?.clear();
    this.#person?.clear();
    this.#orgUnit?.clear();
    this.#text?.clear();
  }

  async #primed(reading: Promise<readonly ListValue[]>): Promise<readonly ListValue[]> {
    const values = await reading;
    for (const value of values) this.listValue.prime(value.fullId, value);
    return values;
  }
}
