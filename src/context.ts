import { Loaders } from './loaders/index.ts';
import type { Caller } from './rest/client/caller.ts';
import type { RequestBudget } from './rest/client/resilience/request-budget.ts';
import { createDms, type Dms } from './rest/dms.ts';
import type { HttpClient } from './rest/client/http-client.ts';

/** What an HTTP request contributes to the results of its operation, apart from identity. */
export interface RequestInfo {
  /**
   * Languages of Accept-Language as short names such as `en`, most preferred first. Empty if the client states none.
   */
  readonly languages: readonly string[];
  /**
   * Returns the URL at which this gateway serves a file to this caller. `segments` are the path segments after
   * `/files/`.
   */
  readonly fileUrl: (segments: readonly string[]) => string;
}

/** The context value of resolvers: the user, the bound REST client and the loaders of one operation. */
export interface GatewayContext extends RequestInfo {
  /** System ID or e-mail address of the user on whose behalf the request runs. Null for the service account itself. */
  readonly runAs: string | null;
  readonly dms: Dms;
  readonly loaders: Loaders;
  /** Maximum number of fields in all list items of the response. */
  readonly maxListFields: number;
  /** Number of these fields so far. */
  listFields: number;
}

/** Creates the context of one GraphQL operation, with empty loaders. Costs no upstream request. */
export function createContext(
  http: HttpClient,
  caller: Caller,
  budget: RequestBudget,
  requestInfo: RequestInfo,
  maxListFields = Infinity,
): GatewayContext {
  const dms = createDms(http, caller, budget);
  const { languages, fileUrl } = requestInfo;
  return {
    languages,
    fileUrl,
    runAs: caller.runAs,
    dms,
    loaders: new Loaders(dms),
    maxListFields,
    listFields: 0,
  };
}
