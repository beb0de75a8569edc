import type { FieldValue, WrittenValue } from '../../model/common.ts';
import type { Document } from '../../model/document.ts';
import type { UploadFile } from '../../model/transfer.ts';
import type { CreateAction, PhaseAction, ResponseAction } from '../../model/workflow.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { targetOf, write, writeOutcomeFrom, type ResourceContext } from './resource-context.ts';
import { joinList, queryString, pathSegment } from '../client/path.ts';
import { xErrorMessage } from '../client/response-status.ts';
import { actionToWire } from '../wire/document-response.ts';
import { createdDocumentFromWire, documentChangeToWire } from '../wire/document.ts';

/** A document to create. Omitted properties are not sent. */
export interface NewDocument {
  /** Short ID of the form. */
  readonly formName: string;
  readonly values?: readonly FieldValue[];
  readonly tags?: readonly string[];
  readonly action?: CreateAction;
  /** Whether a document with the same attachments can already exist. The default of the DMS is true. */
  readonly allowDuplicates?: boolean;
  /** Languages of text recognition, such as `eng`. */
  readonly ocrLanguages?: readonly string[];
  readonly forceOcr?: boolean;
}

/**
 * A created document. `workflowError` is the reason why the requested action failed; null if the DMS reported no
 * failure. Only `state` confirms the action (REST spec, Documents 6), but the meaning of its numbers is not specified.
 */
export interface CreatedDocument {
  readonly document: Document;
  readonly workflowError: string | null;
}

/** A participant's response to a document. Omitted properties are not sent. */
export interface ResponseChange {
  readonly documentId: string;
  readonly responseId: string;
  readonly action: ResponseAction;
  readonly content?: string;
  readonly values?: readonly WrittenValue[];
  readonly tags?: readonly string[];
}

/** A change of the phase or status of a document. */
export interface DocumentMove {
  readonly documentId: string;
  readonly action: PhaseAction;
}

/** Writes of documents. None of them is retried. REST spec, Documents 4, 5 and 6. */
export function documentMutations(context: ResourceContext) {
  const { http, caller, budget } = context;
  return {
    /**
     * Creates a document with its files, which are streamed in the order in which they arrive. Costs one upstream
     * request.
     *
     * The document has every plain property of the response.
     * @throws the error of a file's stream; the DMS then has no complete body and creates nothing
     * @see REST spec, Documents 6
     */
    async create(
      { formName, values, tags, action, allowDuplicates, ocrLanguages, forceOcr }: NewDocument,
      files: AsyncIterable<UploadFile>,
    ): Promise<WriteOutcome<CreatedDocument>> {
      const parameters = queryString({ allowDupl: allowDuplicates, idpFrpr: forceOcr });
      const response = await http.upload({
        caller,
        budget,
        method: 'POST',
        route: '/api/v2/docForm/form/{formName}',
        path: `/api/v2/docForm/form/${pathSegment(formName)}${withLanguages(parameters, ocrLanguages)}`,
        label: 'documents.create',
        changedDocument: null,
        parts: {
          docForm: documentChangeToWire({ values, tags }) ?? {},
          ...(action && { docResponse: actionToWire(action) }),
        },
        files,
      });
      return writeOutcomeFrom(response, null, (body, request) => ({
        document: createdDocumentFromWire(body, request),
        workflowError: xErrorMessage(response.headers),
      }));
    },

    /**
     * Submits a participant's response in the current phase. Costs one upstream request.
     * @see REST spec, Documents 4
     */
    async respond(change: ResponseChange): Promise<WriteOutcome<void>> {
      const { documentId, responseId } = change;
      const route = '/api/v2/docForm/{id}/docResponse/{respId}';
      const call = {
        ...targetOf('documents.respond', route, documentId, responseId),
        method: 'PUT',
        changedDocument: documentId,
        json: {
          docForm: documentChangeToWire(change),
          docResponse: { ...actionToWire(change.action), content: change.content },
        },
        expectsBody: false,
      } as const;
      return write(context, [], call, null, () => {});
    },

    /**
     * Moves a document to another phase or changes its status. Costs one upstream request.
     * @see REST spec, Documents 5
     */
    async move({ documentId, action }: DocumentMove): Promise<WriteOutcome<void>> {
      const call = {
        ...targetOf('documents.move', '/api/v2/docForm/{id}/docResponse', documentId),
        method: 'POST',
        changedDocument: documentId,
        json: { docResponse: actionToWire(action) },
        expectsBody: false,
      } as const;
      // The specification gives this role two names. This is the one in its table of roles.
      return write(context, [], call, 'elAdminDocsRW', () => {});
    },
  };
}

/** Adds the languages, joined with `+`, which is encoded as `%2B` in a query. */
function withLanguages(parameters: string, languages: readonly string[] | undefined): string {
  if (languages === undefined || languages.length === 0) return parameters;
  const list = joinList(languages, '%2B');
  return `${parameters}${parameters === '' ? '?' : '&'}idpLngs=${list}`;
}
