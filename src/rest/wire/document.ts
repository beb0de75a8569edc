import type { DocumentNeed, DocumentNeeds } from '../../model/document-needs.ts';
import type { Document, DocumentView, File } from '../../model/document.ts';
import { query } from '../path.ts';
import { responseFromWire, responseProperties } from './document-response.ts';
import { namesOf } from './projection.ts';
import type { Property } from './projection.ts';
import { recoDataFromWire, recoDataProperties } from './reco-data.ts';
import { id, int, meta, object, objectOrNull, objects, text, texts, timestamp } from './read.ts';
import type { Wire } from './read.ts';
import { valuesFromWire } from './values.ts';

/** The plain properties of a document, in the order in which they are asked for. */
const plainProperties: Readonly<Record<string, Property>> = {
  shortId: { key: 'shortId', names: ['_id_web'], read: (wire) => text(wire._id_web) },
  meta: { key: 'meta', names: ['_meta'], read: (wire) => meta(wire._meta) },
  author: { key: 'author', names: ['author'], read: (wire) => text(wire.author) },
  state: { key: 'state', names: ['state'], read: (wire) => int(wire.state) },
  step: { key: 'step', names: ['step'], read: (wire) => int(wire.step) },
  iteration: { key: 'iteration', names: ['iteration'], read: (wire) => int(wire.iteration) },
  status: { key: 'status', names: ['status'], read: (wire) => int(wire.status) },
  formSystemType: {
    key: 'formSystemType',
    names: ['formsystype'],
    read: (wire) => int(wire.formsystype),
  },
  dateCreated: {
    key: 'dateCreated',
    names: ['datecreated'],
    read: (wire) => timestamp(wire.datecreated),
  },
  dateDue: { key: 'dateDue', names: ['datedue'], read: (wire) => timestamp(wire.datedue) },
  tags: { key: 'tags', names: ['_tags'], read: (wire) => texts(wire._tags) },
};

/** Those that the specification lists under `embed`: they are named in both parameters. */
const embeddedProperties: Readonly<Record<string, Property>> = {
  values: {
    key: 'values',
    names: ['valuesByTags'],
    embed: ['valuesByTags'],
    read: (wire) => valuesFromWire(wire.valuesByTags),
  },
  files: {
    key: 'files',
    names: ['filesList', 'id', 'fileName'],
    embed: ['filesList'],
    read: (wire, request) => objects(wire.filesList).map((file) => fileFromWire(file, request)),
  },
  refByDocs: {
    key: 'refByDocs',
    names: ['refByDocs'],
    embed: ['refByDocs'],
    read: (wire) => referencesFromWire(wire.refByDocs),
  },
};

/** What a set of needs means for a request and for reading its answer. */
interface Plan {
  readonly properties: readonly Property[];
  readonly fields: readonly string[];
  readonly embed: readonly string[];
  readonly query: { projected?: string; whole?: string };
}

// Needs are never changed once made, and the same ones come back with every request of an operation.
const plans = new WeakMap<DocumentNeeds, Plan>();

function planOf(needs: DocumentNeeds): Plan {
  let plan = plans.get(needs);
  if (plan === undefined) {
    const properties = propertiesOf(needs);
    const { fields, embed } = namesOf(properties);
    plan = {
      properties,
      fields: ['_id', ...fields.filter((name) => name !== '_id')],
      embed,
      query: {},
    };
    plans.set(needs, plan);
  }
  return plan;
}

/** In the order of the tables, whatever the order of the needs: equal needs give equal requests. */
function propertiesOf(needs: DocumentNeeds): Property[] {
  const has = (name: string): boolean => needs.has(name as DocumentNeed);
  const wanted = Object.entries({ ...plainProperties, ...embeddedProperties })
    .filter(([name]) => has(name))
    .map(([, property]) => property);
  if (has('response')) wanted.push(response(selected(responseProperties, 'response.', has)));
  if (has('recoData')) wanted.push(recoData(selected(recoDataProperties, 'recoData.', has)));
  const extras = [...needs].filter((need) => need.startsWith('extra:')).toSorted();
  if (extras.length > 0) wanted.push(extra(extras.map((need) => need.slice('extra:'.length))));
  return wanted;
}

function selected(
  properties: Readonly<Record<string, Property>>,
  prefix: string,
  has: (name: string) => boolean,
): Property[] {
  return Object.entries(properties)
    .filter(([name]) => has(prefix + name))
    .map(([, property]) => property);
}

function response(properties: readonly Property[]): Property {
  return {
    key: 'response',
    names: ['docResponse', ...namesOf(properties).fields],
    embed: ['docResponse'],
    read: ({ docResponse }, request) => {
      const [wire] = objects([docResponse]);
      return wire === undefined ? null : responseFromWire(wire, request, properties);
    },
  };
}

function recoData(properties: readonly Property[]): Property {
  const { fields, embed } = namesOf(properties);
  return {
    key: 'recoData',
    names: ['recoData', ...fields],
    embed: ['recoData', ...embed],
    read: (wire, request) =>
      objects(wire.recoData).map((entry) => recoDataFromWire(entry, request, properties)),
  };
}

function extra(names: readonly string[]): Property {
  return {
    key: 'extra',
    names,
    // fromEntries and hasOwn: a property may be called `__proto__`.
    read: (wire) =>
      Object.fromEntries(
        names.map((name) => [name, Object.hasOwn(wire, name) ? wire[name] : null]),
      ),
  };
}

function fileFromWire(wire: Wire, request: string): File {
  return { id: id(wire, 'id', request), name: text(wire.fileName) ?? '' };
}

/** Ids; whether the service sends them bare or as objects with one is not shown, so both are understood. */
function referencesFromWire(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return texts(value.map((member) => objectOrNull(member)?._id ?? member));
}

/**
 * `fields` and `embed` for some needs, with the `?`; empty where nothing is to be said.
 *
 * `fields` is one flat list that the service applies to embedded entities as well, so what these need stands
 * in it too. @see REST spec, Common parameters
 * @param projection false leaves `fields` out
 * @throws {RestError} `BAD_USER_INPUT` for a name of an `extra` property that no list can hold
 */
export function documentQuery(needs: DocumentNeeds, projection: boolean): string {
  const plan = planOf(needs);
  const key = projection ? 'projected' : 'whole';
  return (plan.query[key] ??= query({
    fields: projection ? plan.fields : undefined,
    embed: plan.embed.length > 0 ? plan.embed : undefined,
  }));
}

/** A document with what was needed; what the answer lacks of it is null or empty. */
export function documentFromWire(answer: unknown, request: string, needs: DocumentNeeds): Document {
  const wire = object(answer, request);
  const document: Record<string, unknown> = { fullId: id(wire, '_id', request) };
  for (const { key, read } of planOf(needs).properties) document[key] = read(wire, request);
  return document as unknown as Document;
}

/** A document with every plain property that came: the answer to a creation, whose properties nobody chose. */
export function createdDocumentFromWire(answer: unknown, request: string): Document {
  const wire = object(answer, request);
  const document: Record<string, unknown> = { fullId: id(wire, '_id', request) };
  for (const { key, names, read } of Object.values(plainProperties)) {
    if (names.some((name) => Object.hasOwn(wire, name))) document[key] = read(wire, request);
  }
  return document as unknown as Document;
}

/** Path segment of a view. */
export const viewToWire: Readonly<Record<DocumentView, string>> = {
  INBOX: 'inbox',
  MY_DOCS: 'mydocs',
  REPOSITORY: 'repository',
  ARCHIVE: 'archive',
  ALL: 'all',
};
