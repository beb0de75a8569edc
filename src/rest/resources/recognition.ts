import type { RecognizedText } from '../../model/document.ts';
import type { Download } from '../../model/transfer.ts';
import { openFile } from './resource-context.ts';
import type { Endpoint, FileOptions } from './resource-context.ts';
import { query, segment } from '../client/path.ts';
import { totalCountFrom } from '../wire/page.ts';

export function recognitionApi(endpoint: Endpoint) {
  const { http, caller, operation } = endpoint;
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

    /**
     * The document as a PDF with a text layer, as a stream. Costs one upstream request.
     * @throws {RestError} `NOT_FOUND` when there is no such document or it was not recognized
     */
    async pdf(documentId: string, options: FileOptions): Promise<Download> {
      return openFile(endpoint, options, {
        route: '/api/v2/idp/{id}/pdf',
        path: `/api/v2/idp/${segment(documentId)}/pdf`,
        why: 'recognition.pdf',
      });
    },

    /**
     * A file of one recognition entry, such as the picture of an extracted region, as a stream. Costs one upstream
     * request.
     * @throws {RestError} `NOT_FOUND`
     */
    async file(
      documentId: string,
      entryId: string,
      fileId: string,
      options: FileOptions,
    ): Promise<Download> {
      return openFile(endpoint, options, {
        route: '/api/v2/idp/{id}/recoData/{recoDataId}/file/{fileId}',
        path: `/api/v2/idp/${segment(documentId)}/recoData/${segment(entryId)}/file/${segment(fileId)}`,
        why: 'recognition.file',
      });
    },
  };
}
