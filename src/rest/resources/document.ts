import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Document, DocumentFilter, DocumentView } from '../../model/document.ts';
import type { Page, PageRequest } from '../../model/common.ts';
import type { Download } from '../../model/transfer.ts';
import type { DocumentResponse } from '../../model/workflow.ts';
import {
  openFile,
  read,
  targetOf,
  type FileOptions,
  type ResourceContext,
} from './resource-context.ts';
import { RestError } from '../client/rest-error.ts';
import { withPathVariant } from '../client/dms-variants.ts';
import { queryString, pathSegment } from '../client/path.ts';
import { documentFromWire, documentQuery, viewToWire } from '../wire/document.ts';
import { responseFromWire } from '../wire/document-response.ts';
import { pageFromWire } from '../wire/parse.ts';

/** A page of a view. */
export interface ViewQuery {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly page: PageRequest;
}

const filesOnly: DocumentRequirements = new Set(['files'] as const);

/** Reads of documents and of their attachments. REST spec, Documents 1, 2 and 3. */
export function documentResource(context: ResourceContext) {
  const { http, caller, budget } = context;

  /**
   * One document by full or short ID, with the required properties.
   *
   * Costs one upstream request. If `response` is required, the DMS creates a response for the user: such a read is
   * neither retried nor shared.
   * @throws {RestError} `NOT_FOUND` if the document does not exist
   * @see REST spec, Documents 1
   */
  async function get(id: string, requirements: DocumentRequirements): Promise<Document> {
    const { body, request } = await http.read({
      caller,
      budget,
      method: 'GET',
      route: '/api/v2/docForm/{id}',
      path: `/api/v2/docForm/${pathSegment(id)}${documentQuery(requirements, http.projection)}`,
      label: 'documents.get',
      hasSideEffect: requirements.has('response'),
    });
    return documentFromWire(body, request, requirements);
  }

  /**
   * The older path does not contain the document ID: it returns the file for any document ID. Only the document's list
   * of files proves that the file belongs to it, and thus that the DMS does not support the newer path.
   * @throws {RestError} `NOT_FOUND` if the document does not exist or does not list the file
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
      const projection = documentQuery(requirements, http.projection).replace('?', '&');
      const response = await http.read({
        caller,
        budget,
        method: 'GET',
        route: '/api/v2/docForm/view/{viewId}',
        path: `/api/v2/docForm/view/${viewToWire[view]}${slice}${projection}`,
        label: 'documents.inView',
        hasSideEffect: requirements.has('response'),
      });
      return pageFromWire(response, page.pageSize, (item, request) =>
        documentFromWire(item, request, requirements),
      );
    },

    /**
     * An attachment as a stream.
     *
     * Costs one upstream request if the DMS supports the path with the document ID. If it supports only the older path,
     * each call first reads the document's files. Until the path is known, a 404 of the first path has the same cost. A
     * file is never returned for a document that does not list it.
     * @throws {RestError} `NOT_FOUND` if the document or file does not exist
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
     * @throws {RestError} `NOT_FOUND`; `FORBIDDEN` without the role elAdminDocsR
     * @see REST spec, Document responses
     */
    async get(fullId: string): Promise<DocumentResponse> {
      const target = targetOf('documentResponses.get', '/api/v2/docResponse/{id}', fullId);
      const { body, request } = await read(context, target);
      return responseFromWire(body, request);
    },
  };
}
