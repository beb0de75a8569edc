import type { FieldValue, Meta, Translation } from '../model/common.ts';
import type { DocumentResponse } from '../model/document-response.ts';
import type {
  Document,
  File,
  RecognizedText,
  RecoData,
  RecoForm,
  RecoResult,
} from '../model/document.ts';
import type { Form } from '../model/form.ts';
import type { ListValue } from '../model/list-value.ts';
import type { OrgUnit } from '../model/org-unit.ts';
import type { Organization } from '../model/organization.ts';
import type { Person } from '../model/person.ts';
import { builder } from './builder.ts';
import type { ItemPage } from './paging/connection.ts';

/*
 * Every object type by name, so that the files of the types can reference each other's types without importing
 * each other. If only the key of an object is known and nothing else is selected, an object with the key alone is enough.
 */

/** An object, or the part of it that its key gives. */
type Known<T, Key extends keyof T> = Pick<T, Key> & Partial<T>;

export const DocumentRef = builder.objectRef<Document>('Document');
export const DocumentConnectionRef = builder.objectRef<ItemPage<Document>>('DocumentConnection');
/** A page of the ids of referencing documents; each document is read when it is selected. */
export const DocumentReferenceConnectionRef = builder.objectRef<
  ItemPage<string> & { readonly totalCount: number }
>('DocumentReferenceConnection');
export const DocumentResponseRef = builder.objectRef<DocumentResponse>('DocumentResponse');
/** An attachment, or a file of a recognition entry. */
export const FileRef = builder.objectRef<File & { readonly entryId?: string }>('File');
export const RecoDataRef = builder.objectRef<RecoData>('RecoData');
export const RecoFormRef = builder.objectRef<RecoForm>('RecoForm');
export const RecoResultRef = builder.objectRef<RecoResult>('RecoResult');
export const RecognizedTextRef = builder.objectRef<RecognizedText>('RecognizedText');

export const OrganizationRef = builder.objectRef<Known<Organization, 'fullId'>>('Organization');
export const ListValueRef = builder.objectRef<Known<ListValue, 'fullId'>>('ListValue');
export const FormRef = builder.objectRef<Known<Form, 'fullId'>>('Form');
export const PersonRef = builder.objectRef<Known<Person, 'systemId'>>('Person');
export const OrgUnitRef = builder.objectRef<Known<OrgUnit, 'systemId'>>('OrgUnit');
export const ServiceAccountRef = builder.objectRef<{ systemId: string }>('ServiceAccount');
export const ActorRef = builder.interfaceRef<{ systemId: string }>('Actor');

export const FieldValueRef = builder.interfaceRef<FieldValue>('FieldValue');
export const MetaRef = builder.objectRef<Meta>('Meta');
export const TranslationRef = builder.objectRef<Translation>('Translation');
