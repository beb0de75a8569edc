import type { WrittenValue } from '../../model/common.ts';
import type {
  DocumentProperty,
  DocumentRequirements,
  RecoDataRequirement,
} from '../../model/document-requirements.ts';
import type {
  DocumentResponse,
  Document,
  DocumentView,
  File,
  RecoData,
  RecoForm,
  RecoResult,
} from '../../model/document.ts';
import { RestError } from '../client/rest-error.ts';
import { queryString } from './path.ts';
import { responseFromWire, responseProperties } from './document-response.ts';
import {
  bool,
  namesOf,
  id,
  idOrNull,
  shownId,
  int,
  members,
  meta,
  number,
  object,
  objectOrNull,
  objects,
  nonEmptyObject,
  text,
  timestamp,
  type Property,
  type Writable,
  type Wire,
} from './parse.ts';
import { valuesFromWire, valuesToWire } from './field-values.ts';

/**
 * The properties of a document, in the order in which they are requested. Those that the specification lists under `embed`
 * are named in `fields` and `embed`.
 */
const documentProperties: Readonly<
  Record<Exclude<DocumentProperty, 'response' | 'recoData'>, Property<Document>>
> = {
  shortId: { names: ['_id_web'], set: (to, wire) => (to.shortId = shownId(wire._id_web)) },
  meta: { names: ['_meta'], set: (to, wire) => (to.meta = meta(wire._meta)) },
  author: { names: ['author'], set: (to, wire) => (to.author = idOrNull(wire.author)) },
  state: { names: ['state'], set: (to, wire) => (to.state = int(wire.state)) },
  step: { names: ['step'], set: (to, wire) => (to.step = int(wire.step)) },
  iteration: { names: ['iteration'], set: (to, wire) => (to.iteration = int(wire.iteration)) },
  status: { names: ['status'], set: (to, wire) => (to.status = int(wire.status)) },
  formSystemType: {
    names: ['formsystype'],
    set: (to, wire) => (to.formSystemType = int(wire.formsystype)),
  },
  dateCreated: {
    names: ['datecreated'],
    set: (to, wire) => (to.dateCreated = timestamp(wire.datecreated)),
  },
  dateDue: { names: ['datedue'], set: (to, wire) => (to.dateDue = timestamp(wire.datedue)) },
  tags: { names: ['_tags'], set: (to, wire) => (to.tags = members(wire._tags, text)) },
  values: {
    names: ['valuesByTags'],
    embed: ['valuesByTags'],
    set: (to, wire) => (to.values = valuesFromWire(wire.valuesByTags)),
  },
  files: {
    names: ['filesList', 'id', 'fileName'],
    embed: ['filesList'],
    set: (to, wire, request) =>
      (to.files = objects(wire.filesList, (file) => fileFromWire(file, to.fullId, request))),
  },
  refByDocs: {
    names: ['refByDocs'],
    embed: ['refByDocs'],
    set: (to, wire) => (to.refByDocs = referencesFromWire(wire.refByDocs)),
  },
};

// `fields` is a flat list, so it contains the properties of the recognition form too.
const formNames = ['form', 'id', 'name'];

const recoResult = {
  embed: ['recoResult'],
  set: (to: Writable<RecoData>, wire: Wire) => (to.result = resultFromWire(wire)),
};

/** The properties of a recognition entry, in the order in which they are requested. */
const recoDataProperties: Readonly<Record<RecoDataRequirement, Property<RecoData>>> = {
  pageIndexStart: {
    names: ['pageIdxStart'],
    set: (to, wire) => (to.pageIndexStart = int(wire.pageIdxStart)),
  },
  pageIndexEnd: {
    names: ['pageIdxEnd'],
    set: (to, wire) => (to.pageIndexEnd = int(wire.pageIdxEnd)),
  },
  validated: { names: ['validated'], set: (to, wire) => (to.validated = bool(wire.validated)) },
  form: {
    names: ['recoForm', ...formNames],
    set: (to, wire) => (to.form = recoFormFromWire(wire.recoForm)),
  },
  // A property of the entry, not an embedded entity: it is named in `fields` only.
  values: {
    names: ['valuesByTags'],
    set: (to, wire) => (to.values = valuesFromWire(wire.valuesByTags)),
  },
  result: { ...recoResult, names: ['recoResult'] },
  'result.form': { ...recoResult, names: ['recoResult', 'recoForm', ...formNames] },
  'result.confidence': { ...recoResult, names: ['recoResult', 'recoFormConfidence'] },
};

function recoDataFromWire(
  wire: Wire,
  documentId: string,
  request: string,
  properties: readonly Property<RecoData>[],
): RecoData {
  const entry: Writable<RecoData> = { documentId, id: id(wire, '_id', request) };
  for (const { set } of properties) set(entry, wire, request);
  return entry;
}

function recoFormFromWire(value: unknown): RecoForm | null {
  const wire = objectOrNull(value);
  return wire && { id: shownId(wire.id), name: text(wire.name), form: wire.form ?? null };
}

function resultFromWire({ recoResult }: Wire): RecoResult | null {
  const wire = objectOrNull(recoResult);
  return (
    wire && { form: recoFormFromWire(wire.recoForm), confidence: number(wire.recoFormConfidence) }
  );
}

/** The values of `embed` in lower case (REST spec, Common parameters). Whether the DMS ignores case is not specified. */
const embeddedEntities: ReadonlySet<string> = new Set(
  [...Object.values(documentProperties), ...Object.values(recoDataProperties)]
    .flatMap(({ embed = [] }) => embed)
    .concat('docResponse', 'recoData')
    .map((name) => name.toLowerCase()),
);

/**
 * Whether `extra:<name>` is a valid requirement: the name of a plain property. Names of embedded entities are not,
 * because `fields` alone can embed them (REST spec, Documents 2). `docResponse` as an extra property could make the DMS
 * create a response.
 */
export function isExtraName(name: string): boolean {
  return /^[A-Za-z_]\w{0,63}$/.test(name) && !embeddedEntities.has(name.toLowerCase());
}

export function isRequirement(typeName: string, name: string): boolean {
  if (typeName === 'DocumentResponse') return Object.hasOwn(responseProperties, name);
  if (typeName === 'RecoData') return Object.hasOwn(recoDataProperties, name);
  if (typeName === 'RecoResult') return Object.hasOwn(recoDataProperties, `result.${name}`);
  if (typeName !== 'Document') return false;
  const extraName = /^extra:(.*)$/s.exec(name)?.[1];
  if (extraName !== undefined) return isExtraName(extraName);
  return Object.hasOwn(documentProperties, name) || name === 'response' || name === 'recoData';
}

/** In the order of the tables, so that equal requirements result in equal requests. */
function propertiesOf(requirements: ReadonlySet<string>): Property<Document>[] {
  const has = (name: string): boolean => requirements.has(name);
  const properties = selected(documentProperties, '', has);
  if (has('response')) properties.push(response(selected(responseProperties, 'response.', has)));
  if (has('recoData')) properties.push(recoData(selected(recoDataProperties, 'recoData.', has)));
  const extras = [...requirements].flatMap((name) => /^extra:(.*)$/s.exec(name)?.[1] ?? []);
  if (extras.length > 0) properties.push(extra(extras.toSorted()));
  return properties;
}

function selected<T>(
  properties: Readonly<Record<string, Property<T>>>,
  prefix: string,
  has: (name: string) => boolean,
): Property<T>[] {
  return Object.entries(properties)
    .filter(([name]) => has(prefix + name))
    .map(([, property]) => property);
}

function response(properties: readonly Property<DocumentResponse>[]): Property<Document> {
  return {
    names: ['docResponse', ...namesOf(properties).fields],
    embed: ['docResponse'],
    set: (to, { docResponse }, request) => {
      const wire = nonEmptyObject(docResponse);
      to.response = wire && responseFromWire(wire, request, properties);
    },
  };
}

function recoData(properties: readonly Property<RecoData>[]): Property<Document> {
  const { fields, embed } = namesOf(properties);
  return {
    names: ['recoData', ...fields],
    embed: ['recoData', ...embed],
    set: (to, wire, request) => {
      to.recoData = objects(wire.recoData, (entry) =>
        recoDataFromWire(entry, to.fullId, request, properties),
      );
    },
  };
}

function extra(names: readonly string[]): Property<Document> {
  if (!names.every(isExtraName)) {
    throw new RestError('BAD_USER_INPUT', null, { expected: 'names of plain properties' });
  }
  return {
    names,
    // fromEntries and hasOwn: a property can have the name `__proto__`.
    set: (to, wire) => {
      to.extra = Object.fromEntries(
        names.filter((name) => Object.hasOwn(wire, name)).map((name) => [name, wire[name]]),
      );
    },
  };
}

function fileFromWire(wire: Wire, documentId: string, request: string): File {
  return { documentId, id: id(wire, 'id', request), name: text(wire.fileName) ?? '' };
}

/**
 * IDs of documents. The specification does not say whether they are strings or objects with an ID, so both are
 * accepted.
 */
function referencesFromWire(value: unknown): string[] {
  return members(value, (member) => idOrNull(objectOrNull(member)?._id ?? member));
}

interface DocumentProjection {
  /** `fields` and `embed`, with the `?`. Empty if neither is needed. */
  readonly query: string;
  read(answer: unknown, request: string): Document;
}

// Requirements are immutable, and the same objects for each execution of an operation. bench/NOTES.md
const projections = new WeakMap<DocumentRequirements, DocumentProjection>();
const wholeProjections = new WeakMap<DocumentRequirements, DocumentProjection>();

export function documentProjection(
  requirements: DocumentRequirements,
  isProjected: boolean,
): DocumentProjection {
  const known = isProjected ? projections : wholeProjections;
  let projection = known.get(requirements);
  if (projection === undefined) {
    projection = createProjection(requirements, isProjected);
    known.set(requirements, projection);
  }
  return projection;
}

/**
 * `fields` is one flat list, which the DMS also applies to embedded entities, so it contains their properties too.
 * @see REST spec, Common parameters
 */
function createProjection(
  requirements: DocumentRequirements,
  isProjected: boolean,
): DocumentProjection {
  const properties = propertiesOf(requirements);
  const { fields, embed } = namesOf([{ names: ['_id'] }, ...properties]);
  return {
    query: queryString({
      fields: isProjected ? fields : undefined,
      embed: embed.length > 0 ? embed : undefined,
    }),
    read(answer, request) {
      const wire = object(answer, request);
      const document: Writable<Document> = { fullId: id(wire, '_id', request) };
      for (const { set } of properties) set(document, wire, request);
      return document;
    },
  };
}

export function createdDocumentFromWire(answer: unknown, request: string): Document {
  const wire = object(answer, request);
  const document: Writable<Document> = { fullId: id(wire, '_id', request) };
  for (const { names, embed, set } of Object.values(documentProperties)) {
    if (embed === undefined && names.some((name) => Object.hasOwn(wire, name))) {
      set(document, wire, request);
    }
  }
  return document;
}

export function documentChangeToWire({
  values,
  tags,
}: {
  readonly values?: readonly WrittenValue[] | undefined;
  readonly tags?: readonly string[] | undefined;
}): object | undefined {
  if (values === undefined && tags === undefined) return undefined;
  return { valuesByTags: values && valuesToWire(values), _tags: tags };
}

/** Path segment of each view. REST spec, Documents 3. */
export const viewToWire: Readonly<Record<DocumentView, string>> = {
  INBOX: 'inbox',
  MY_DOCS: 'mydocs',
  REPOSITORY: 'repository',
  ARCHIVE: 'archive',
  ALL: 'all',
};
