import type { RecognizedText, Download } from '../../model/document.ts';
import {
  openFile,
  read,
  targetOf,
  type FileOptions,
  type ResourceContext,
} from './resource-context.ts';
import { queryString } from '../wire/path.ts';
import { totalCountFrom } from '../wire/parse.ts';

/** Text recognition results of documents. REST spec, IDP helper calls. */
export function recognitionResource(context: ResourceContext) {
  return {
    /**
     * Recognized text of a document. `page` is counted from 0; all pages if omitted.
     *
     * Costs one upstream request.
     * @see REST spec, IDP helper calls
     */
    async text(documentId: string, page?: number): Promise<RecognizedText> {
      const target = targetOf('recognition.text', '/api/v2/idp/{id}/text', documentId);
      const { body, headers } = await read(context, {
        ...target,
        path: target.path + queryString({ page }),
        responseType: 'text',
      });
      return { text: String(body), page: page ?? null, totalCount: totalCountFrom(headers) };
    },

    async pdf(documentId: string, options: FileOptions): Promise<Download> {
      return openFile(
        context,
        options,
        targetOf('recognition.pdf', '/api/v2/idp/{id}/pdf', documentId),
      );
    },

    async file(
      documentId: string,
      entryId: string,
      fileId: string,
      options: FileOptions,
    ): Promise<Download> {
      const route = '/api/v2/idp/{id}/recoData/{recoDataId}/file/{fileId}';
      const target = targetOf('recognition.file', route, documentId, entryId, fileId);
      return openFile(context, options, target);
    },
  };
}
