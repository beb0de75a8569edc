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

/**
 * The whole service for one caller in one operation, as `dms.<resource>.<verb>`.
 *
 * Reads resolve with a value or throw a RestError; writes resolve with a `Write` for what a person can act on, and
 * throw for the rest. Every call counts against the operation's bounds.
 */
export type Dms = ReturnType<typeof createDms>;

/** Makes the functions of every resource, bound to a caller and an operation. */
export function createDms(http: Http, caller: Caller, operation: Operation) {
  const endpoint: Endpoint = { http, caller, operation };
  return {
    documents: {
      ...documentsApi(endpoint),
      ...documentWritesApi(endpoint),
      ...documentFilesApi(endpoint),
    },
    documentResponses: documentResponsesApi(endpoint),
    organizations: organizationsApi(endpoint),
    listValues: listValuesApi(endpoint),
    forms: formsApi(endpoint),
    persons: personsApi(endpoint),
    orgUnits: orgUnitsApi(endpoint),
    recognition: recognitionApi(endpoint),
  };
}
