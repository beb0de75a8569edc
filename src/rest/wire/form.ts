import type {
  CustomField,
  DateSettings,
  DescriptionSettings,
  DocumentNumberSettings,
  Form,
  TopicSettings,
} from '../../model/form.ts';
import {
  bool,
  id,
  shownId,
  int,
  object,
  objectOrNull,
  nonEmptyObject,
  objects,
  suffixedTranslations,
  text,
  translations,
  type Wire,
} from './parse.ts';

/** The two spellings of the path. @see REST spec, System forms */
export const formPaths = { first: '/api/v2/sysForm', second: '/api/v2/sysFrom' } as const;

export function formFromWire(answer: unknown, request: string): Form {
  const wire = object(answer, request);
  const block = (name: string): Wire | null => objectOrNull(nested(wire, 'docsf', name));
  return {
    fullId: id(wire, '_id', request),
    shortId: shownId(wire._id_web),
    docFormType: text(wire.docformtype),
    titles: suffixedTranslations(wire, 'doctitle'),
    status: int(wire.status),
    customFields: objects(nested(wire, 'doccf', 'customFields'), customField),
    documentNumber: documentNumber(block('docNum')),
    description: description(block('description')),
    topic: topic(block('docTopic')),
    dateCreated: date(block('dateCreated')),
    dateDue: date(block('dateDue')),
    processId: shownId(wire.sysprocessunid),
  };
}

function nested(wire: Wire, outer: string, inner: string): unknown {
  return objectOrNull(wire[outer])?.[inner] ?? wire[`${outer}.${inner}`];
}

function customField(wire: Wire): CustomField {
  const { columns } = wire;
  const hasColumns = Array.isArray(columns) && columns.some((column) => nonEmptyObject(column));
  return {
    ...fieldWithoutColumns(wire),
    ...(hasColumns && { columns: objects(columns, fieldWithoutColumns) }),
  };
}

function fieldWithoutColumns(wire: Wire): CustomField {
  return {
    type: text(wire.type) ?? '',
    required: bool(wire.required),
    prefix: text(wire.prefix),
    fieldName: text(wire.fieldName),
    names: translations(wire.name),
  };
}

function documentNumber(wire: Wire | null): DocumentNumberSettings | null {
  if (wire === null) return null;
  return {
    enabled: bool(wire.enabled),
    required: bool(wire.required),
    autoRegistration: bool(wire.autoReg),
    autoRegistrationState: int(wire.autoRegState),
  };
}

function description(wire: Wire | null): DescriptionSettings | null {
  if (wire === null) return null;
  return {
    enabled: bool(wire.enabled),
    required: bool(wire.required),
    richText: bool(wire.useRTeditor),
    names: translations(wire.name),
  };
}

function topic(wire: Wire | null): TopicSettings | null {
  return wire && { enabled: bool(wire.enabled), required: bool(wire.required) };
}

function date(wire: Wire | null): DateSettings | null {
  return wire && { enabled: bool(wire.enabled), editable: bool(wire.editable) };
}
