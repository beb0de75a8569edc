import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Download } from '../../model/transfer.ts';
import { documentResource } from './document.ts';
import { openFile } from './resource-context.ts';
import type { ResourceContext, FileOptions } from './resource-context.ts';
import { RestError } from '../client/rest-error.ts';
import { pathSegment } from '../client/path.ts';
import { withPathVariant } from '../client/dms-variants.ts';

const filesOnly: DocumentRequirements = new Set(['files'] as const);

/** Attachments of documents. REST spec, Documents 2. */
export function documentFileResource(context: ResourceContext) {
  /**
   * The older path does not contain the document ID: it returns the file for any document ID. Only the document's list
   * of files proves that the file belongs to it, and thus that the DMS does not support the newer path.
   * @throws {RestError} `NOT_FOUND` if the document does not exist or does not list the file
   */
  async function checkListed(documentId: string, fileId: string): Promise<void> {
    const { files = [] } = await documentResource(context).get(documentId, filesOnly);
    if (files.some(({ id }) => id === fileId)) return;
    throw new RestError('NOT_FOUND', null, { expected: 'a file of the document' });
  }

  return {
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
      const document = pathSegment(documentId);
      const file = pathSegment(fileId);
      const label = 'documents.file';
      return withPathVariant(
        context.http.variants.attachment,
        () =>
          openFile(context, options, {
            route: '/api/v2/docForm/{id}/file/{fileId}',
            path: `/api/v2/docForm/${document}/file/${file}`,
            label,
          }),
        async () => {
          await checkListed(documentId, fileId);
          return openFile(context, options, {
            route: '/api/v2/docForm/file/{fileId}',
            path: `/api/v2/docForm/file/${file}`,
            label,
          });
        },
      );
    },
  };
}
