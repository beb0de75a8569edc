import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Document, DocumentFilter, DocumentView } from '../../model/document.ts';
import type { Page, PageRequest } from '../../model/page.ts';
import type { ResourceContext } from './resource-context.ts';
import { queryString, pathSegment } from '../client/path.ts';
import { documentFromWire, documentQuery, viewToWire } from '../wire/document.ts';
import { totalCountFrom } from '../wire/page.ts';
import { array } from '../wire/parse.ts';

/** A page of a view. */
export interface ViewQuery {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly page: PageRequest;
}

/** Reads of documents. REST spec, Documents 1 and 3. */
export function documentResource({ http, caller, budget }: ResourceContext) {
  return {
    /**
     * One document by full or short ID, with the required properties.
     *
     * Costs one upstream request. If `response` is required, the DMS creates a response for the user: such a read is
     * neither retried nor shared.
     * @throws {RestError} `NOT_FOUND` if the document does not exist
     * @see REST spec, Documents 1
     */
    async get(id: string, requirements: DocumentRequirements): Promise<Document> {
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
    },

    /**
     * A page of the documents of a view. Items beyond `pageSize` are dropped.
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
      const { body, headers, request } = await http.read({
        caller,
        budget,
        method: 'GET',
        route: '/api/v2/docForm/view/{viewId}',
        path: `/api/v2/docForm/view/${viewToWire[view]}${slice}${projection}`,
        label: 'documents.inView',
        hasSideEffect: requirements.has('response'),
      });
      const items = array(body, request)
        .slice(0, page.pageSize)
        .map((item) => documentFromWire(item, request, requirements));
      return { items, totalCount: totalCountFrom(headers) };
    },
  };
}

/** An empty list means no filter. The DMS would read it as a list with one empty member. */
function listOrUndefined(members: readonly string[] | undefined): readonly string[] | undefined {
  return members === undefined || members.length === 0 ? undefined : members;
}
