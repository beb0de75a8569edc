import type { DocumentResponse } from '../../model/workflow.ts';
import { read } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { pathSegment } from '../client/path.ts';
import { responseFromWire } from '../wire/document-response.ts';

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
      const { body, request } = await read(context, {
        route: '/api/v2/docResponse/{id}',
        path: `/api/v2/docResponse/${pathSegment(fullId)}`,
        label: 'documentResponses.get',
      });
      return responseFromWire(body, request);
    },
  };
}
