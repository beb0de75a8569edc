import type { DocumentResponse } from '../../model/document-response.ts';
import { read } from './resource-context.ts';
import type { Endpoint } from './resource-context.ts';
import { segment } from '../client/path.ts';
import { responseFromWire } from '../wire/document-response.ts';

export function documentResponsesApi(endpoint: Endpoint) {
  return {
    /**
     * One response by full id, with every property.
     *
     * Costs one upstream request.
     * @throws {RestError} `NOT_FOUND`; `FORBIDDEN` without the role elAdminDocsR
     * @see REST spec, Document responses
     */
    async get(fullId: string): Promise<DocumentResponse> {
      const { body, request } = await read(endpoint, {
        route: '/api/v2/docResponse/{id}',
        path: `/api/v2/docResponse/${segment(fullId)}`,
        why: 'documentResponses.get',
      });
      return responseFromWire(body, request);
    },
  };
}
