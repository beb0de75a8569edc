import type { Caller, Operation } from './client/resilience/request-budget.ts';
import { documentResponsesApi } from './resources/document-response.ts';
import { documentFilesApi } from './resources/document-file.ts';
import { documentWritesApi } from './resources/document-mutation.ts';
import { documentsApi } from './resources/document.ts';
import type { Endpoint } from './resources/resource-context.ts';
import { formsApi } from './resources/form.ts';
import type { Http } from './client/http-client.ts';
import { listValuesApi } from './resources/list-value.ts';
import { orgUnitsApi } from './resources/org-unit.ts';
import { organizationsApi } from './resources/organization.ts';
import { personsApi } from './resources/person.ts';
import { recognitionApi } from './resources/recognition.ts';

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
