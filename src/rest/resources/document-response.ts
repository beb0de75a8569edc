import type { DocumentResponse } from '../../model/document-response.ts';
import { read } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { pathSegment } from '../client/path.ts';
import { responseFromWire } from '../wire/document-response.ts';

export function documentResponseResource(context: ResourceContext) {
  return {
    /**
     * One response by full id, with every property.
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
