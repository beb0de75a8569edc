import type {
  CustomField,
  DateSettings,
  DescriptionSettings,
  DocumentNumberSettings,
  TopicSettings,
} from '../model/form.ts';
import { builder } from './builder.ts';
import { languageArg, translated } from './input/language.ts';
import { dmsIdFrom, precheckId, toGlobalId } from './ids.ts';
import { FormRef, TranslationRef } from './refs.ts';

const orNull = 'Null where the DMS leaves it out.';
const enabled = `Whether documents of this form have it. ${orNull}`;
const required = `Whether it has to be filled in. ${orNull}`;

FormRef.implement({
  description: 'The definition of a kind of document.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ fullId }) => toGlobalId('Form', fullId),
    }),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'The full id: 24 hexadecimal characters (`_id`).',
    }),
    shortId: t.exposeString('shortId', {
      nullable: true,
      description: 'The short id (`_id_web`), under which documents of this form are created.',
    }),
    docFormType: t.exposeString('docFormType', {
      nullable: true,
      description: `The DMS’s type of the form (\`docformtype\`). ${orNull}`,
    }),
    title: t.string({
      nullable: true,
      args: languageArg,
      description:
        'Its title (`doctitle`) in the asked language, else in one of Accept-Language, else the first there is.',
      resolve: ({ titles }, { language }, { languages }) =>
        translated(titles ?? [], language, languages),
    }),
    titles: t.field({
      type: [TranslationRef],
      description: 'Its title in every language, in the order of the DMS.',
      resolve: ({ titles }) => titles ?? [],
    }),
    status: t.exposeInt('status', {
      nullable: true,
      description: `The DMS’s status number of the form. ${orNull}`,
    }),
    customFields: t.field({
      type: [CustomFieldRef],
      description: 'The fields of this form beyond those that every document has.',
      resolve: ({ customFields }) => customFields ?? [],
    }),
    documentNumber: t.expose('documentNumber', {
      type: DocumentNumberRef,
      nullable: true,
      description: `How documents of this form are numbered. ${orNull}`,
    }),
    description: t.expose('description', {
      type: DescriptionRef,
      nullable: true,
      description: `How documents of this form are described. ${orNull}`,
    }),
    topic: t.expose('topic', {
      type: TopicRef,
      nullable: true,
      description: `Whether documents of this form have a topic. ${orNull}`,
    }),
    dateCreated: t.expose('dateCreated', {
      type: DateSettingsRef,
      nullable: true,
      description: `How the date of creation is handled. ${orNull}`,
    }),
    dateDue: t.expose('dateDue', {
      type: DateSettingsRef,
      nullable: true,
      description: `How the due date is handled. ${orNull}`,
    }),
    processId: t.expose('processId', {
      type: 'ObjectID',
      nullable: true,
      description: `Id of the workflow process (\`sysprocessunid\`). ${orNull}`,
    }),
  }),
});

const CustomFieldRef = builder.objectRef<CustomField>('CustomField').implement({
  description: 'A field of a form.',
  fields: (t) => ({
    type: t.exposeString('type', {
      description: 'Its type, such as `crmOrg`; empty where the DMS leaves it out.',
    }),
    required: t.exposeBoolean('required', { nullable: true, description: required }),
    prefix: t.exposeString('prefix', {
      nullable: true,
      description: `The prefix of its tag. ${orNull}`,
    }),
    fieldName: t.exposeString('fieldName', {
      nullable: true,
      description: `Its technical name. ${orNull}`,
    }),
    name: t.string({
      nullable: true,
      args: languageArg,
      description: 'What people call it, in the asked language, else as in `Form.title`.',
      resolve: ({ names }, { language }, { languages }) => translated(names, language, languages),
    }),
    names: t.field({
      type: [TranslationRef],
      description: 'What people call it, in every language.',
      resolve: ({ names }) => names,
    }),
  }),
});

const DocumentNumberRef = builder
  .objectRef<DocumentNumberSettings>('DocumentNumberSettings')
  .implement({
    description: 'How documents of a form are numbered.',
    fields: (t) => ({
      enabled: t.exposeBoolean('enabled', { nullable: true, description: enabled }),
      required: t.exposeBoolean('required', { nullable: true, description: required }),
      autoRegistration: t.exposeBoolean('autoRegistration', {
        nullable: true,
        description: `Whether the DMS gives the number. ${orNull}`,
      }),
      autoRegistrationState: t.exposeInt('autoRegistrationState', {
        nullable: true,
        description: `The phase in which it does. ${orNull}`,
      }),
    }),
  });

const DescriptionRef = builder.objectRef<DescriptionSettings>('DescriptionSettings').implement({
  description: 'How documents of a form are described.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { nullable: true, description: enabled }),
    required: t.exposeBoolean('required', { nullable: true, description: required }),
    richText: t.exposeBoolean('richText', {
      nullable: true,
      description: `Whether it is rich text. ${orNull}`,
    }),
    name: t.string({
      nullable: true,
      args: languageArg,
      description: 'What people call it, in the asked language, else as in `Form.title`.',
      resolve: ({ names }, { language }, { languages }) => translated(names, language, languages),
    }),
    names: t.field({
      type: [TranslationRef],
      description: 'What people call it, in every language.',
      resolve: ({ names }) => names,
    }),
  }),
});

const TopicRef = builder.objectRef<TopicSettings>('TopicSettings').implement({
  description: 'Whether documents of a form have a topic.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { nullable: true, description: enabled }),
    required: t.exposeBoolean('required', { nullable: true, description: required }),
  }),
});

const DateSettingsRef = builder.objectRef<DateSettings>('DateSettings').implement({
  description: 'How a date of a form’s documents is handled.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { nullable: true, description: enabled }),
    editable: t.exposeBoolean('editable', {
      nullable: true,
      description: `Whether people may change it. ${orNull}`,
    }),
  }),
});

builder.queryFields((t) => ({
  forms: t.field({
    type: [FormRef],
    nullable: true,
    description: 'All active forms, in the order of the DMS.',
    resolve: (_root, _args, { loaders }) => loaders.form.all(),
  }),
  form: t.field({
    type: FormRef,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'Global, full or short id of the form.' }),
    },
    precheck: precheckId('Form'),
    description: 'One form; null where there is none.',
    resolve: (_root, { id }, { loaders }) => loaders.form.load(dmsIdFrom('Form', id)),
  }),
}));
