import type { DocumentRequirements } from '../model/document-requirements.ts';
import type { NodeType, ResourceObjects, resources } from '../model/resource.ts';
import type { Caller } from './client/caller.ts';
import type { RequestBudget } from './client/limits/request-budget.ts';
import { documentResource, documentResponseResource } from './resources/document.ts';
import type { ResourceContext } from './resources/resource-context.ts';
import { formResource } from './resources/form.ts';
import type { HttpClient } from './client/http-client.ts';
import { listValueResource } from './resources/list-value.ts';
import { orgUnitResource } from './resources/org-unit.ts';
import { organizationResource } from './resources/organization.ts';
import { personResource } from './resources/person.ts';
import { recognitionResource } from './resources/recognition.ts';

type Reads = {
  readonly [T in NodeType as (typeof resources)[T]['many']]: {
    get(id: string, requirements: DocumentRequirements): Promise<ResourceObjects[T]>;
  };
};

/**
 * The functions of a resource are created when they are first used: an operation uses few resources. Writes resolve
 * with a `WriteOutcome` if the user can react to the result, and throw otherwise.
 */
export class Dms implements Reads {
  readonly budget: RequestBudget;
  readonly #context: ResourceContext;
  #documents: ReturnType<typeof documentResource> | undefined;
  #documentResponses: ReturnType<typeof documentResponseResource> | undefined;
  #organizations: ReturnType<typeof organizationResource> | undefined;
  #listValues: ReturnType<typeof listValueResource> | undefined;
  #forms: ReturnType<typeof formResource> | undefined;
  #persons: ReturnType<typeof personResource> | undefined;
  #orgUnits: ReturnType<typeof orgUnitResource> | undefined;
  #recognition: ReturnType<typeof recognitionResource> | undefined;

  constructor(http: HttpClient, caller: Caller, budget: RequestBudget) {
    this.budget = budget;
    this.#context = { http, caller, budget };
  }

  get documents() {
    return (this.#documents ??= documentResource(this.#context));
  }

  get documentResponses() {
    return (this.#documentResponses ??= documentResponseResource(this.#context));
  }

  get organizations() {
    return (this.#organizations ??= organizationResource(this.#context));
  }

  get listValues() {
    return (this.#listValues ??= listValueResource(this.#context));
  }

  get forms() {
    return (this.#forms ??= formResource(this.#context));
  }

  get persons() {
    return (this.#persons ??= personResource(this.#context));
  }

  get orgUnits() {
    return (this.#orgUnits ??= orgUnitResource(this.#context));
  }

  get recognition() {
    return (this.#recognition ??= recognitionResource(this.#context));
  }
}
