import type { FieldValue } from '../../model/common.ts';
import type { Document } from '../../model/document.ts';
import type { UploadFile } from '../../model/transfer.ts';
import type { CreateAction, PhaseAction, ResponseAction } from '../../model/workflow.ts';
import type { Write } from '../../model/write-outcome.ts';
import { write } from './resource-context.ts';
import type { Endpoint } from './resource-context.ts';
import { joined, query, segment } from '../client/path.ts';
import { xErrorOf } from '../client/response-status.ts';
import { actionToWire } from '../wire/action.ts';
import { createdDocumentFromWire, documentChangeToWire } from '../wire/document.ts';
import { writeFrom } from '../wire/write-outcome.ts';

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
export interface Created {
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

export interface Move {
  readonly documentId: string;
  readonly action: PhaseAction;
}

export function documentWritesApi(endpoint: Endpoint) {
  const { http, caller, operation } = endpoint;
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
    ): Promise<Write<Created>> {
      const parameters = query({ allowDupl: allowDuplicates, idpFrpr: forceOcr });
      const answer = await http.upload({
        caller,
        operation,
        method: 'POST',
        route: '/api/v2/docForm/form/{formName}',
        path: `/api/v2/docForm/form/${segment(formName)}${withLanguages(parameters, ocrLanguages)}`,
        why: 'documents.create',
        parts: {
          docForm: documentChangeToWire({ values, tags }) ?? {},
          ...(action && { docResponse: actionToWire(action) }),
        },
        files,
      });
      return writeFrom(answer, null, (body, request) => ({
        document: createdDocumentFromWire(body, request),
        workflowError: xErrorOf(answer.headers),
      }));
    },

    /**
     * A participant's answer in the current phase; sent once.
     * @see REST spec, Documents 4
     */
    async respond(change: ResponseChange): Promise<Write<void>> {
      const answer = await write(endpoint, [], {
        method: 'PUT',
        route: '/api/v2/docForm/{id}/docResponse/{respId}',
        path: `/api/v2/docForm/${segment(change.documentId)}/docResponse/${segment(change.responseId)}`,
        why: 'documents.respond',
        json: {
          docForm: documentChangeToWire(change),
          docResponse: { ...actionToWire(change.action), content: change.content },
        },
        bodyWanted: false,
      });
      return writeFrom(answer, null, () => {});
    },

    /**
     * Moves a document to another phase or changes its status; sent once.
     * @see REST spec, Documents 5
     */
    async move({ documentId, action }: Move): Promise<Write<void>> {
      const answer = await write(endpoint, [], {
        method: 'POST',
        route: '/api/v2/docForm/{id}/docResponse',
        path: `/api/v2/docForm/${segment(documentId)}/docResponse`,
        why: 'documents.move',
        json: { docResponse: actionToWire(action) },
        bodyWanted: false,
      });
      // The specification names this role in two ways; this is the one of the table of roles.
      return writeFrom(answer, 'elAdminDocsRW', () => {});
    },
  };
}

/** Several languages are joined with `+`, which in a query must be written `%2B`. */
function withLanguages(parameters: string, languages: readonly string[] | undefined): string {
  if (languages === undefined || languages.length === 0) return parameters;
  const list = joined(languages, '%2B');
  return `${parameters}${parameters === '' ? '?' : '&'}idpLngs=${list}`;
}
