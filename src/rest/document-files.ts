import type { Download } from '../model/transfer.ts';
import { openFile } from './endpoint.ts';
import type { Endpoint, FileOptions } from './endpoint.ts';
import { segment } from './path.ts';
import { inEitherSpelling } from './quirks.ts';

export function documentFilesApi(endpoint: Endpoint) {
  return {
    /**
     * An attachment, as a stream.
     *
     * Costs one upstream request; one more until it is known whether this DMS has the path with the document's id or
     * the earlier one without it.
     * @throws {RestError} `NOT_FOUND` when there is no such document or file
     * @see REST spec, Documents 2
     */
    async file(documentId: string, fileId: string, options: FileOptions): Promise<Download> {
      const document = segment(documentId);
      const file = segment(fileId);
      const why = 'documents.file';
      return inEitherSpelling(
        endpoint.http.quirks.attachment,
        () =>
          openFile(endpoint, options, {
            route: '/api/v2/docForm/{id}/file/{fileId}',
            path: `/api/v2/docForm/${document}/file/${file}`,
            why,
          }),
        () =>
          openFile(endpoint, options, {
            route: '/api/v2/docForm/file/{fileId}',
            path: `/api/v2/docForm/file/${file}`,
            why,
          }),
      );
    },
  };
}
