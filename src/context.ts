import type { ArgumentNode, GraphQLResolveInfo } from 'graphql';
import { createLoaders, type Loaders } from './loaders/index.ts';
import type { Page } from './model/common.ts';
import type { DocumentRequirements } from './model/document-requirements.ts';
import type { Document } from './model/document.ts';
import type { DeclaredForms } from './model/form.ts';
import { type Caller, Dms, type HttpClient, type RequestBudget } from './rest/index.ts';

/** What an HTTP request contributes to the results of its operation, apart from identity. */
export interface RequestInfo {
  /**
   * Tags of the languages of Accept-Language in lower case, such as `en`, most preferred first. Empty if the client
   * states none.
   */
  readonly languages: readonly string[];
  /**
   * Returns the URL at which this gateway serves the file at `path` (`filePath`) to this caller, signed if necessary.
   *
   * @internal
   */
  readonly fileUrlOf: (path: string) => string;
  /**
   * What a team adds to the context. Null if there is none.
   *
   * @internal
   */
  readonly teamContext?: TeamContext | null | undefined;
  /**
   * The arguments that were parsed before the execution.
   *
   * @internal
   */
  readonly parsedArguments: ParsedArguments;
}

/** The parsed arguments of fields, by the nodes of the arguments, which copies of an operation share, and by their text. */
export type ParsedArguments = Map<
  readonly ArgumentNode[] | string | undefined,
  {
    /** The function that has parsed them. */
    readonly parse: unknown;
    /** The object type of the field, whose default values can differ from those of others with the same interface. */
    readonly typeName: string;
    /** The variables of the execution that they were parsed in. Null if they were parsed before it. */
    readonly variables: object | null;
    readonly input: unknown;
  }
>;

/**
 * What the function `context` of a team's configuration returns, which resolvers then find in their context. A team
 * declares its properties:
 *
 *     declare module 'dms-graphql-gateway' {
 *       interface TeamContext {
 *         risk: RiskClient;
 *       }
 *     }
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- teams add properties
export interface TeamContext {}

/** The context value of resolvers: the user, the bound REST client and the loaders of one operation. */
export interface GatewayContext extends RequestInfo, TeamContext {
  /** System ID or e-mail address of the user on whose behalf the request runs. Null for the service account itself. */
  readonly runAs: string | null;
  /**
   * Returns the URL of a file. `segments` are the path segments after `/files/`. The URL of each file is created once
   * per operation, because aliases can select it hundreds of times.
   */
  readonly fileUrl: (segments: readonly string[]) => string;
  /** @internal */
  readonly dms: Dms;
  readonly loaders: Loaders;
  /**
   * Maximum number of fields in all list items of the response.
   *
   * @internal
   */
  readonly maxListFields: number;
  /**
   * The forms of the schema. Null if none are declared.
   *
   * @internal
   */
  readonly forms: DeclaredForms | null;
  /**
   * Number of these fields so far.
   *
   * @internal
   */
  listFields: number;
  /**
   * The objects that the operation has read, each as a text that identifies it.
   *
   * @internal
   */
  readonly readObjects: Set<string>;
  /**
   * How an operation with `@defer` or `@stream` is executed; null for every other.
   *
   * @internal
   */
  incremental: IncrementalExecution | null;
}

/** The context without what a team adds, whose properties only its own project declares. */
export type OwnContext = Omit<GatewayContext, keyof TeamContext>;

/** The execution of one operation with `@defer` or `@stream`. */
export interface IncrementalExecution {
  /** Adds a page of documents that were read with the given requirements. @param read reads the page again */
  addPage(
    documents: readonly Document[],
    known: DocumentRequirements,
    read: (requirements: DocumentRequirements) => Promise<Page<Document>>,
  ): void;
  /** Resolves with the data of the first part when it is complete. Never settles if no other part follows. */
  readonly firstPart: Promise<unknown>;
  /** Number of items of the current list field that belong to the first part: all of them unless it is streamed. */
  initialCount(info: GraphQLResolveInfo): number;
  /** Counts the later parts that the items of the current list field will have. @throws BAD_USER_INPUT for too many */
  countParts(items: number, info: GraphQLResolveInfo): void;
  /** Called when a part that others follow can be sent, with its data. */
  partSent(data: unknown): void;
}

/**
 * What all operations of a gateway have in common.
 *
 * @internal
 */
type SharedContext = Pick<GatewayContext, 'maxListFields' | 'forms'>;

/**
 * Creates the context of one GraphQL operation, with empty loaders. Costs no upstream request.
 *
 * @internal
 */
export function createContext(
  http: HttpClient,
  caller: Caller,
  budget: RequestBudget,
  requestInfo: RequestInfo,
  { maxListFields, forms }: SharedContext,
): GatewayContext {
  const dms = new Dms(http, caller, budget);
  const { languages, fileUrlOf, teamContext = null, parsedArguments } = requestInfo;
  const fileUrls = new Map<string, string>();
  const own: OwnContext = {
    teamContext,
    parsedArguments,
    languages,
    fileUrlOf,
    fileUrl(segments) {
      const path = filePath(segments);
      let url = fileUrls.get(path);
      if (url === undefined) fileUrls.set(path, (url = fileUrlOf(path)));
      return url;
    },
    runAs: caller.runAs,
    dms,
    loaders: createLoaders(dms, forms?.all ?? null),
    maxListFields,
    forms,
    listFields: 0,
    readObjects: new Set(),
    incremental: null,
  };
  return Object.assign(own, teamContext);
}

/**
 * The canonical path of a file, which links sign. An unpaired surrogate, which a URL cannot contain, is replaced; the
 * resulting path does not exist.
 */
export function filePath(segments: readonly string[]): string {
  return `/files/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`;
}
