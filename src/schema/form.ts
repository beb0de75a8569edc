import type {
  CustomField,
  DateSettings,
  DescriptionSettings,
  DocumentNumberSettings,
  TopicSettings,
} from '../model/form.ts';
import { builder, plainFields } from './builder.ts';
import { defineQueryById, keyFields } from './ids.ts';
import { FormRef } from './refs.ts';
import { translatedFields } from './translated-text.ts';

const enabled = 'Whether documents of the form have this property.';
const required = 'Whether a value is required.';

const settings = <Ref>(type: Ref, of: string) =>
  ({ type, nullable: true, description: `Settings for the ${of}.` }) as const;

FormRef.implement({
  description: 'A form: the definition of a kind of document, with its fields and settings.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(
      t,
      'Form',
      'Full ID: 24 hexadecimal characters, such as `65f000005eed00f000000001`.',
    ),
    ...plainFields(t, 'String', {
      shortId:
        'Short ID, such as `invoice`. `createDocument` accepts it as `form` and needs no additional DMS request for it.',
      docFormType: 'Form type, as defined by the DMS.',
    }),
    ...translatedFields(t, ['title', 'titles'], 'Title', ({ titles }) => titles),
    ...plainFields(t, 'Int', { status: 'Status number of the form, as defined by the DMS.' }),
    customFields: t.field({
      type: [CustomFieldRef],
      description: 'Fields that this form adds to the properties of every document.',
      resolve: ({ customFields }) => customFields ?? [],
    }),
    documentNumber: t.expose('documentNumber', settings(DocumentNumberRef, 'number of a document')),
    description: t.expose('description', settings(DescriptionRef, 'description of a document')),
    topic: t.expose('topic', settings(TopicRef, 'topic of a document')),
    dateCreated: t.expose('dateCreated', settings(DateSettingsRef, 'creation date of a document')),
    dateDue: t.expose('dateDue', settings(DateSettingsRef, 'due date of a document')),
    ...plainFields(t, 'ObjectID', { processId: 'ID of the workflow process.' }),
  }),
});

const CustomFieldRef = builder.objectRef<CustomField>('CustomField');
CustomFieldRef.implement({
  description: 'A field that a form defines.',
  fields: (t) => ({
    type: t.exposeString('type', {
      description:
        'Type of the field, such as `crmOrg` for an organization. Empty if the DMS does not report it.',
    }),
    required: t.exposeBoolean('required', { nullable: true, description: required }),
    ...plainFields(t, 'String', {
      prefix:
        'Prefix of the tag. The `tag` of a value of this field is the prefix, if there is one, followed by `fieldName`.',
      fieldName: 'Technical name of the field, such as `supplier`.',
    }),
    ...translatedFields(t, ['name', 'names'], 'Label', ({ names }) => names),
    columns: t.field({
      type: [CustomFieldRef],
      description:
        'The columns of a table, if the gateway knows them. `fieldName` is the name of the column in the table.',
      resolve: ({ columns }) => columns ?? [],
    }),
  }),
});

const DocumentNumberRef = builder
  .objectRef<DocumentNumberSettings>('DocumentNumberSettings')
  .implement({
    description: 'Settings for the number of a document.',
    fields: (t) => ({
      ...plainFields(t, 'Boolean', {
        enabled,
        required,
        autoRegistration: 'Whether the DMS assigns the number automatically.',
      }),
      ...plainFields(t, 'Int', {
        autoRegistrationState: 'Workflow phase in which the DMS assigns the number.',
      }),
    }),
  });

const DescriptionRef = builder.objectRef<DescriptionSettings>('DescriptionSettings').implement({
  description: 'Settings for the description of a document.',
  fields: (t) => ({
    ...plainFields(t, 'Boolean', {
      enabled,
      required,
      richText: 'Whether the description is rich text.',
    }),
    ...translatedFields(t, ['name', 'names'], 'Label', ({ names }) => names),
  }),
});

const TopicRef = builder.objectRef<TopicSettings>('TopicSettings').implement({
  description: 'Settings for the topic of a document.',
  fields: (t) => ({
    ...plainFields(t, 'Boolean', {
      enabled,
      required,
    }),
  }),
});

const DateSettingsRef = builder.objectRef<DateSettings>('DateSettings').implement({
  description: 'Settings for a date of a document.',
  fields: (t) => ({
    ...plainFields(t, 'Boolean', {
      enabled,
      editable: 'Whether users can edit the date.',
    }),
  }),
});

builder.queryField('forms', (t) =>
  t.field({
    type: [FormRef],
    nullable: true,
    cost: (_args, forms) => ({ calls: forms === null ? 1 : 0 }),
    description:
      'Returns all active forms. Requires the DMS role `elAdminDocsR` and costs one DMS request. If forms are declared, returns these, without a role or request.',
    resolve: (_root, _args, { loaders }) => loaders.form.all(),
  }),
);

defineQueryById(
  'Form',
  FormRef,
  'Global, full or short ID of the form, such as `invoice`.',
  'Fetches a form by its ID. Requires the DMS role `elAdminDocsR`. Costs one DMS request, or none while it is cached. If forms are declared, fetches one of these, without a role or request.',
);
