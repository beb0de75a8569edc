import type { Meta, Translation } from '../model/common.ts';
import type {
  DocumentValue,
  File,
  RecognizedText,
  RecoData,
  RecoForm,
  RecoResult,
} from '../model/document.ts';
import type { NodeType, ObjectOf } from '../model/resource.ts';
import { builder } from './builder.ts';

/*
 * The refs of all object types, so that the files of the types need not import each other. If only the key of an
 * object is known and no other field is selected, an object with the key alone is sufficient.
 */

const nodeRef = <T extends NodeType>(type: T) => builder.objectRef<ObjectOf<T>>(type);

export const DocumentRef = nodeRef('Document');
export const DocumentResponseRef = nodeRef('DocumentResponse');
export const FileRef = builder.objectRef<File & { readonly entryId?: string }>('File');
export const RecoDataRef = builder.objectRef<RecoData>('RecoData');
export const RecoFormRef = builder.objectRef<RecoForm>('RecoForm');
export const RecoResultRef = builder.objectRef<RecoResult>('RecoResult');
export const RecognizedTextRef = builder.objectRef<RecognizedText>('RecognizedText');

export const OrganizationRef = nodeRef('Organization');
export const ListValueRef = nodeRef('ListValue');
export const FormRef = nodeRef('Form');
export const PersonRef = nodeRef('Person');
export const OrgUnitRef = nodeRef('OrgUnit');
export const ServiceAccountRef = builder.objectRef<{ systemId: string }>('ServiceAccount');
export const ActorRef = builder.interfaceRef<{ systemId: string }>('Actor');

export const FieldValueRef = builder.interfaceRef<DocumentValue>('FieldValue');
export const MetaRef = builder.objectRef<Meta>('Meta');
export const metaField = {
  type: MetaRef,
  nullable: true,
  description: 'Creation time, modification time and revision.',
} as const;
export const TranslationRef = builder.objectRef<Translation>('Translation');
