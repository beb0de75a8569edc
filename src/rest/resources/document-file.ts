import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Download } from '../../model/transfer.ts';
import { documentResource } from './document.ts';
import { openFile } from './resource-context.ts';
import type { ResourceContext, FileOptions } from './resource-context.ts';
import { RestError } from '../client/rest-error.ts';
import { pathSegment } from '../client/path.ts';
import { withPathVariant } from '../client/dms-variants.ts';

const filesOnly: DocumentRequirements = new Set(['files'] as const);

export function documentFileResource(context: ResourceContext) {
  /**
   * The earlier path does not name the document: it answers with a file whatever document was asked for. Only the
   * document's list proves that the file belongs to it, and so that it was the path that the DMS did not know.
   * @throws {RestError} `NOT_FOUND` where there is no such document or it does not list the file
   */
  async function checkListed(documentId: string, fileId: string): Promise<void> {
    const { files = [] } = await documentResource(context).get(documentId, filesOnly);
    if (files.some(({ id }) => id === fileId)) return;
    throw new RestError('NOT_FOUND', 'none', { expected: 'a file of the document' });
  }

  return {
    /**
     * An attachment, as a stream.
     *
     * Costs one upstream request where the DMS has the path with the document's id. Where it has only the earlier one
     * without it, a read of the document's files goes first, each time; before the path is known, a 404 of the first
     * path costs the same. A file is never handed out under a document that does not list it, and the earlier path is
     * learnt only from a file that is listed.
     * @throws {RestError} `NOT_FOUND` when there is no such document or file
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
