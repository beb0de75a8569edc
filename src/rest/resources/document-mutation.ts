import type { FieldValue } from '../../model/common.ts';
import type { Document } from '../../model/document.ts';
import type { UploadFile } from '../../model/transfer.ts';
import type { CreateAction, PhaseAction, ResponseAction } from '../../model/workflow.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { write } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { joinList, queryString, pathSegment } from '../client/path.ts';
import { xErrorMessage } from '../client/response-status.ts';
import { actionToWire } from '../wire/action.ts';
import { createdDocumentFromWire, documentChangeToWire } from '../wire/document.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';

/** A document to be created; what is left out is not sent. */
export interface NewDocument {
  /** Short id of the form. */
  readonly formName: string;
  readonly values?: readonly FieldValue[];
  readonly tags?: readonly string[];
  readonly action?: CreateAction;
  /** Whether a document with the same attachments may exist already; the DMS's default is true. */
  readonly allowDuplicates?: boolean;
  /** Languages for text recognition, such as `eng`. */
  readonly ocrLanguages?: readonly string[];
  readonly forceOcr?: boolean;
}

/** A created document. `workflowError` says why the action that was asked for did not take, if it did not. */
export interface CreatedDocument {
  readonly document: Document;
  readonly workflowError: string | null;
}

export interface ResponseChange {
  readonly documentId: string;
  readonly responseId: string;
  readonly action: ResponseAction;
  readonly content?: string;
  readonly values?: readonly FieldValue[];
  readonly tags?: readonly string[];
}

export interface DocumentMove {
  readonly documentId: string;
  readonly action: PhaseAction;
}

export function documentMutations(context: ResourceContext) {
  const { http, caller, budget } = context;
  return {
    /**
     * Creates a document with its files, streamed in the order in which they come; sent once.
     *
     * The document has every plain property that the DMS answered with.
     * @throws what a file's stream failed with; the DMS then has no whole body and creates nothing
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
      return writeOutcomeFromWire(response, null, (body, request) => ({
        document: createdDocumentFromWire(body, request),
        workflowError: xErrorMessage(response.headers),
      }));
    },

    /**
     * A participant's answer in the current phase; sent once.
     * @see REST spec, Documents 4
     */
    async respond(change: ResponseChange): Promise<WriteOutcome<void>> {
      const response = await write(context, [], {
        method: 'PUT',
        route: '/api/v2/docForm/{id}/docResponse/{respId}',
        path: `/api/v2/docForm/${pathSegment(change.documentId)}/docResponse/${pathSegment(change.responseId)}`,
        label: 'documents.respond',
        changedDocument: change.documentId,
        json: {
          docForm: documentChangeToWire(change),
          docResponse: { ...actionToWire(change.action), content: change.content },
        },
        expectsBody: false,
      });
      return writeOutcomeFromWire(response, null, () => {});
    },

    /**
     * Moves a document to another phase or changes its status; sent once.
     * @see REST spec, Documents 5
     */
    async move({ documentId, action }: DocumentMove): Promise<WriteOutcome<void>> {
      const response = await write(context, [], {
        method: 'POST',
        route: '/api/v2/docForm/{id}/docResponse',
        path: `/api/v2/docForm/${pathSegment(documentId)}/docResponse`,
        label: 'documents.move',
        changedDocument: documentId,
        json: { docResponse: actionToWire(action) },
        expectsBody: false,
      });
      // The specification names this role in two ways; this is the one of the table of roles.
      return writeOutcomeFromWire(response, 'elAdminDocsRW', () => {});
    },
  };
}

/** Several languages are joined with `+`, which in a query must be written `%2B`. */
function withLanguages(parameters: string, languages: readonly string[] | undefined): string {
  if (languages === undefined || languages.length === 0) return parameters;
  const list = joinList(languages, '%2B');
  return `${parameters}${parameters === '' ? '?' : '&'}idpLngs=${list}`;
}
