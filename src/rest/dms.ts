import type { Caller, Operation } from './caller.ts';
import { documentResponsesApi } from './document-responses.ts';
import { documentFilesApi } from './document-files.ts';
import { documentWritesApi } from './document-writes.ts';
import { documentsApi } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { formsApi } from './forms.ts';
import type { Http } from './http.ts';
import { listValuesApi } from './list-values.ts';
import { orgUnitsApi } from './org-units.ts';
import { organizationsApi } from './organizations.ts';
import { personsApi } from './persons.ts';
import { recognitionApi } from './recognition.ts';

const nouns = {
  documents: (endpoint: Endpoint) => ({
    ...documentsApi(endpoint),
    ...documentWritesApi(endpoint),
    ...documentFilesApi(endpoint),
  }),
  documentResponses: documentResponsesApi,
  organizations: organizationsApi,
  listValues: listValuesApi,
  forms: formsApi,
  persons: personsApi,
  orgUnits: orgUnitsApi,
  recognition: recognitionApi,
};

/**
 * The whole service for one caller in one operation, as `dms.<noun>.<verb>`.
 *
 * Reads resolve with a value or throw a RestError; writes resolve with a `Write` for what a person can act on, and
 * throw for the rest. Every call counts against the operation's bounds.
 */
export type Dms = { readonly [Noun in keyof typeof nouns]: ReturnType<(typeof nouns)[Noun]> };

/** A noun is made when it is first used: there is one of these for each operation, and few use more than two. */
export function createDms(http: Http, caller: Caller, operation: Operation): Dms {
  return new LazyDms({ http, caller, operation });
}

class LazyDms implements Dms {
  readonly #endpoint: Endpoint;
  #documents: Dms['documents'] | undefined;
  #documentResponses: Dms['documentResponses'] | undefined;
  #organizations: Dms['organizations'] | undefined;
  #listValues: Dms['listValues'] | undefined;
  #forms: Dms['forms'] | undefined;
  #persons: Dms['persons'] | undefined;
  #orgUnits: Dms['orgUnits'] | undefined;
  #recognition: Dms['recognition'] | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  get documents() {
    return (this.#documents ??= nouns.documents(this.#endpoint));
  }

  get documentResponses() {
    return (this.#documentResponses ??= nouns.documentResponses(this.#endpoint));
  }

  get organizations() {
    return (this.#organizations ??= nouns.organizations(this.#endpoint));
  }

  get listValues() {
    return (this.#listValues ??= nouns.listValues(this.#endpoint));
  }

  get forms() {
    return (this.#forms ??= nouns.forms(this.#endpoint));
  }

  get persons() {
    return (this.#persons ??= nouns.persons(this.#endpoint));
  }

  get orgUnits() {
    return (this.#orgUnits ??= nouns.orgUnits(this.#endpoint));
  }

  get recognition() {
    return (this.#recognition ??= nouns.recognition(this.#endpoint));
  }
}
