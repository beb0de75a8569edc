import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type {
  Document,
  DocumentFilter,
  DocumentView,
  DocumentResponse,
  CreateAction,
  PhaseAction,
  ResponseAction,
  Download,
  UploadFile,
} from '../../model/document.ts';
import type {
  Page,
  PageRequest,
  FieldValue,
  WriteOutcome,
  WrittenValue,
} from '../../model/common.ts';
import {
  openFile,
  read,
  targetOf,
  type FileOptions,
  type ResourceContext,
  write,
  writeOutcomeFrom,
} from './resource-context.ts';
import { RestError, xErrorMessage } from '../client/rest-error.ts';
import { withPathVariant } from '../client/dms-variants.ts';
import { queryString, pathSegment, joinList } from '../wire/path.ts';
import {
  documentProjection,
  viewToWire,
  createdDocumentFromWire,
  documentChangeToWire,
} from '../wire/document.ts';
import { responseFromWire, actionToWire } from '../wire/document-response.ts';
import { pageFromWire } from '../wire/parse.ts';

export interface ViewQuery {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly page: PageRequest;
}

export interface NewDocument {
  /** Short ID of the form. */
  readonly formName: string;
  readonly values?: readonly FieldValue[];
  readonly tags?: readonly string[];
  readonly action?: CreateAction;
  readonly allowDuplicates?: boolean;
  readonly ocrLanguages?: readonly string[];
  readonly forceOcr?: boolean;
}

/**
 * A created document. `workflowError` is the reason why the requested action failed; null if the DMS reported no
 * failure. Only `state` confirms the action (REST spec, Documents 6), but the meaning of its numbers is not specified.
 */
export interface CreatedDocument {
  readonly document: Document;
  readonly workflowError: string | null;
}

export interface ResponseChange {
  readonly documentId: string;
  readonly responseId: string;
  readonly action: ResponseAction;
  readonly content?: string;
  readonly values?: readonly WrittenValue[];
  readonly tags?: readonly string[];
}

export interface DocumentMove {
  readonly documentId: string;
  readonly action: PhaseAction;
}

const filesOnly: DocumentRequirements = new Set(['files'] as const);

/** Documents and their attachments. Writes are not retried. REST spec, Documents 1 to 6. */
export function documentResource(context: ResourceContext) {
  const { http, caller, budget } = context;

  /**
   * One document by full or short ID, with the required properties.
   *
   * Costs one upstream request. If `response` is required, the DMS creates a response for the user: such a read is
   * neither retried nor shared.
   * @see REST spec, Documents 1
   */
  async function get(id: string, requirements: DocumentRequirements): Promise<Document> {
    const projection = documentProjection(requirements, http.projection);
    const { body, request } = await read(context, {
      route: '/api/v2/docForm/{id}',
      path: `/api/v2/docForm/${pathSegment(id)}${projection.query}`,
      label: 'documents.get',
      hasSideEffect: requirements.has('response'),
    });
    return projection.read(body, request);
  }

  /**
   * The older path does not contain the document ID: it returns the file for any document ID. Only the document's list
   * of files proves that the file belongs to it, and thus that the DMS does not support the newer path.
   */
  async function checkListed(documentId: string, fileId: string): Promise<void> {
    const { files = [] } = await get(documentId, filesOnly);
    if (files.some(({ id }) => id === fileId)) return;
    throw new RestError('NOT_FOUND', null, { expected: 'a file of the document' });
  }

  return {
    get,

    /**
     * A page of the documents of a view.
     *
     * Costs one upstream request.
     * @see REST spec, Documents 3
     */
    async inView(
      { view, filter, page }: ViewQuery,
      requirements: DocumentRequirements,
    ): Promise<Page<Document>> {
      const slice = queryString({
        first: page.first,
        pageSize: page.pageSize,
        state: filter.state,
        step: filter.step,
        iteration: filter.iteration,
        status: filter.status,
        form: listOrUndefined(filter.forms),
        author: listOrUndefined(filter.authors),
        tags: listOrUndefined(filter.tags),
      });
      const projection = documentProjection(requirements, http.projection);
      const response = await read(context, {
        route: '/api/v2/docForm/view/{viewId}',
        path: `/api/v2/docForm/view/${viewToWire[view]}${slice}${projection.query.replace('?', '&')}`,
        label: 'documents.inView',
        hasSideEffect: requirements.has('response'),
      });
      return pageFromWire(response, page.pageSize, projection.read);
    },

    /**
     * An attachment as a stream.
     *
     * Costs one upstream request if the DMS supports the path with the document ID. If it supports only the older path,
     * each call first reads the document's files. Until the path is known, a 404 of the first path has the same cost.
     * @see REST spec, Documents 2
     */
    async file(documentId: string, fileId: string, options: FileOptions): Promise<Download> {
      const label = 'documents.file';
      const path = targetOf(label, '/api/v2/docForm/{id}/file/{fileId}', documentId, fileId);
      const olderPath = targetOf(label, '/api/v2/docForm/file/{fileId}', fileId);
      return withPathVariant(
        http.variants.attachment,
        () => openFile(context, options, path),
        async () => {
          await checkListed(documentId, fileId);
          return openFile(context, options, olderPath);
        },
      );
    },

    /**
     * Creates a document with its files, which are streamed in the order in which they arrive. Costs one upstream
     * request.
     *
     * The document has every plain property of the response.
     * @see REST spec, Documents 6
     */
    async create(
      { formName, values, tags, action, allowDuplicates, ocrLanguages, forceOcr }: NewDocument,
      files: AsyncIterable<UploadFile>,
    ): Promise<WriteOutcome<CreatedDocument>> {
      const parameters = queryString({ allowDupl: allowDuplicates, idpFrpr: forceOcr });
      const response = await http.upload(
        {
          caller,
          budget,
          method: 'POST',
          route: '/api/v2/docForm/form/{formName}',
          path: `/api/v2/docForm/form/${pathSegment(formName)}${withLanguages(parameters, ocrLanguages)}`,
          label: 'documents.create',
          parts: {
            docForm: documentChangeToWire({ values, tags }) ?? {},
            ...(action && { docResponse: actionToWire(action) }),
          },
          files,
        },
        { document: null },
      );
      return writeOutcomeFrom(response, null, (body, request) => ({
        document: createdDocumentFromWire(body, request),
        workflowError: xErrorMessage(response.headers),
      }));
    },

    /**
     * Submits a participant's response in the current phase. Costs one upstream request.
     * @see REST spec, Documents 4
     */
    async respond(change: ResponseChange): Promise<WriteOutcome<void>> {
      const { documentId, responseId } = change;
      const route = '/api/v2/docForm/{id}/docResponse/{respId}';
      const call = {
        ...targetOf('documents.respond', route, documentId, responseId),
        method: 'PUT',
        json: {
          docForm: documentChangeToWire(change),
          docResponse: { ...actionToWire(change.action), content: change.content },
        },
        expectsBody: false,
      } as const;
      return write(context, { document: documentId }, call, null, () => {});
    },

    /**
     * Moves a document to another phase or changes its status. Costs one upstream request.
     * @see REST spec, Documents 5
     */
    async move({ documentId, action }: DocumentMove): Promise<WriteOutcome<void>> {
      const call = {
        ...targetOf('documents.move', '/api/v2/docForm/{id}/docResponse', documentId),
        method: 'POST',
        json: { docResponse: actionToWire(action) },
        expectsBody: false,
      } as const;
      // The specification gives this role two names. This is the one in its table of roles.
      return write(context, { document: documentId }, call, 'elAdminDocsRW', () => {});
    },
  };
}

/** An empty list means no filter. The DMS would read it as a list with one empty member. */
function listOrUndefined(members: readonly string[] | undefined): readonly string[] | undefined {
  return members === undefined || members.length === 0 ? undefined : members;
}

/** Responses of participants by ID. REST spec, Document responses. */
export function documentResponseResource(context: ResourceContext) {
  return {
    /**
     * One response by full ID, with all properties.
     *
     * Costs one upstream request.
     * @see REST spec, Document responses
     */
    async get(fullId: string): Promise<DocumentResponse> {
      const target = targetOf('documentResponses.get', '/api/v2/docResponse/{id}', fullId);
      const { body, request } = await read(context, target);
      return responseFromWire(body, request);
    },
  };
}

function withLanguages(parameters: string, languages: readonly string[] | undefined): string {
  if (languages === undefined || languages.length === 0) return parameters;
  const list = joinList(languages, '%2B');
  return `${parameters}${parameters === '' ? '?' : '&'}idpLngs=${list}`;
}
