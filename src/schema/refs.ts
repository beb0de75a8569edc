import type { Meta, Translation } from '../model/common.ts';
import type {
  DocumentValue,
  File,
  RecognizedText,
  RecoData,
  RecoForm,
  RecoResult,
} from '../model/document.ts';
import type { NodeType } from '../model/resource.ts';
import { builder } from './builder.ts';
import type { ObjectOf } from './related-objects.ts';

/*
 * The refs of all object types, so that the files of the types need not import each other. If only the key of an
 * object is known and no other field is selected, an object with the key alone is sufficient.
 */

/** A type of the table of resources. */
const nodeRef = <T extends NodeType>(type: T) => builder.objectRef<ObjectOf<T>>(type);

/** The type `Document`. Properties that are not selected are undefined. */
export const DocumentRef = nodeRef('Document');
/** A participant's response, embedded in a document or read by its ID. */
export const DocumentResponseRef = nodeRef('DocumentResponse');
/** An attachment, or a file of a recognition entry. */
export const FileRef = builder.objectRef<File & { readonly entryId?: string }>('File');
/** A recognition entry of a document. It has no global ID. */
export const RecoDataRef = builder.objectRef<RecoData>('RecoData');
/** The recognition form of an entry or of its result. */
export const RecoFormRef = builder.objectRef<RecoForm>('RecoForm');
/** The result of automatic recognition of an entry. */
export const RecoResultRef = builder.objectRef<RecoResult>('RecoResult');
/** The recognized text of a document or page. */
export const RecognizedTextRef = builder.objectRef<RecognizedText>('RecognizedText');

/** An organization of the CRM directory, or only its full ID. */
export const OrganizationRef = nodeRef('Organization');
/** A list value or directory, or only its full ID. */
export const ListValueRef = nodeRef('ListValue');
/** A form definition, or only its full ID. */
export const FormRef = nodeRef('Form');
/** A user account, or only its system ID. */
export const PersonRef = nodeRef('Person');
/** An organizational unit, or only its system ID. */
export const OrgUnitRef = nodeRef('OrgUnit');
/** A service account, of which only the system ID is known. */
export const ServiceAccountRef = builder.objectRef<{ systemId: string }>('ServiceAccount');
/** The interface of persons and service accounts. */
export const ActorRef = builder.interfaceRef<{ systemId: string }>('Actor');

/** The interface of text and table values. */
export const FieldValueRef = builder.interfaceRef<DocumentValue>('FieldValue');
/** Creation time, modification time and revision of an object. */
export const MetaRef = builder.objectRef<Meta>('Meta');
/** The options of every field `meta`. */
export const metaField = {
  type: MetaRef,
  nullable: true,
  description: 'Creation time, modification time and revision.',
} as const;
/** A text in one language. */
export const TranslationRef = builder.objectRef<Translation>('Translation');
