import type { DocumentResponse } from '../../model/workflow.ts';
import { read, targetOf, type ResourceContext } from './resource-context.ts';
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
      const target = targetOf('documentResponses.get', '/api/v2/docResponse/{id}', fullId);
      const { body, request } = await read(context, target);
      return responseFromWire(body, request);
    },
  };
}
