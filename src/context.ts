import type { LiveDocuments } from './live/index.ts';
import { Loaders } from './loaders/index.ts';
import type { Caller } from './rest/client/caller.ts';
import type { RequestBudget } from './rest/client/resilience/request-budget.ts';
import { createDms, type Dms } from './rest/dms.ts';
import type { HttpClient } from './rest/client/http-client.ts';

/** What the request itself says of its answer. */
export interface RequestInfo {
  /** From Accept-Language, the preferred first; each a short name such as `en`. */
  readonly languages: readonly string[];
  /** The address at which this gateway serves a file to this caller; `segments` follow `/files/`. */
  readonly fileUrl: (segments: readonly string[]) => string;
}

/** The one object that resolvers receive: who asks, and every way to the DMS. */
export interface GatewayContext extends RequestInfo {
  /** System id or e-mail of the user on whose behalf the request runs; null for the service account itself. */
  readonly runAs: string | null;
  readonly dms: Dms;
  readonly loaders: Loaders;
  /** What a subscription can watch; null in every other operation and while an event is resolved. */
  readonly live: LiveDocuments | null;
  /** Most fields of all items of all lists of the answer. */
  readonly maxListFields: number;
  /** How many there are so far. */
  listFields: number;
}

/** Made once per GraphQL operation; costs no upstream request. */
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
    live: null,
    maxListFields,
    listFields: 0,
  };
}
