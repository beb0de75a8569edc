import type { DocumentRequirements } from '../model/document-requirements.ts';
import type { resources } from '../model/resource.ts';
import type { Caller } from './client/caller.ts';
import type { RequestBudget } from './client/resilience/request-budget.ts';
import { documentResponseResource } from './resources/document-response.ts';
import { documentMutations } from './resources/document-mutation.ts';
import { documentResource } from './resources/document.ts';
import type { ResourceContext } from './resources/resource-context.ts';
import { formResource } from './resources/form.ts';
import type { HttpClient } from './client/http-client.ts';
import { listValueResource } from './resources/list-value.ts';
import { orgUnitResource } from './resources/org-unit.ts';
import { organizationResource } from './resources/organization.ts';
import { personResource } from './resources/person.ts';
import { recognitionResource } from './resources/recognition.ts';

/**
 * The REST API for one caller in one operation, as `dms.<resource>.<verb>`.
 *
 * Reads resolve with a value or throw a RestError. Writes resolve with a `WriteOutcome` if the user can react to the
 * result, and throw otherwise. Every call counts against the budget of the operation.
 */
export type Dms = ReturnType<typeof createDms>;

/** The reads that every resource of the table has. */
type Reads = Record<
  (typeof resources)[keyof typeof resources]['many'],
  { get(id: string, requirements: DocumentRequirements): Promise<object> }
>;

/**
 * Creates the functions of every resource, bound to a caller and the budget of an operation. Costs no upstream request.
 */
export function createDms(http: HttpClient, caller: Caller, budget: RequestBudget) {
  const context: ResourceContext = { http, caller, budget };
  const dms = {
    /** The budget that all these calls share. */
    budget,
    documents: {
      ...documentResource(context),
      ...documentMutations(context),
    },
    documentResponses: documentResponseResource(context),
    organizations: organizationResource(context),
    listValues: listValueResource(context),
    forms: formResource(context),
    persons: personResource(context),
    orgUnits: orgUnitResource(context),
    recognition: recognitionResource(context),
  };
  return dms satisfies Reads;
}
