import type { RecognizedText } from '../model/document.ts';
import type { Endpoint } from './endpoint.ts';
import { query, segment } from './path.ts';
import { totalCountFrom } from './wire/page.ts';

export function recognitionApi({ http, caller, operation }: Endpoint) {
  return {
    /**
     * Text read from a document; `page` counts from 0, all pages where left out.
     *
     * Costs one upstream request.
     * @throws {RestError} `NOT_FOUND` when there is no such document or it has no text
     * @see REST spec, IDP helper calls
     */
    async text(documentId: string, page?: number): Promise<RecognizedText> {
      const { body, headers } = await http.read({
        caller,
        operation,
        method: 'GET',
        route: '/api/v2/idp/{id}/text',
        path: `/api/v2/idp/${segment(documentId)}/text${query({ page })}`,
        why: 'recognition.text',
        as: 'text',
      });
      return { text: String(body), page: page ?? null, totalCount: totalCountFrom(headers) };
    },
  };
}
