import type { RecoDataRequirement } from '../../model/document-requirements.ts';
import type { RecoData, RecoForm, RecoResult } from '../../model/document.ts';
import {
  bool,
  id,
  shownId,
  int,
  number,
  objectOrNull,
  text,
  type Property,
  type Writable,
  type Wire,
} from './parse.ts';
import { valuesFromWire } from './field-values.ts';

// `fields` is a flat list, so it contains the properties of the recognition form too.
const formNames = ['form', 'id', 'name'];

const result = {
  embed: ['recoResult'],
  set: (to: Writable<RecoData>, wire: Wire) => (to.result = resultFromWire(wire)),
};

/** The properties of a recognition entry, in the order in which they are requested. */
export const recoDataProperties: Readonly<Record<RecoDataRequirement, Property<RecoData>>> = {
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
    set: (to, wire) => (to.form = formFromWire(wire.recoForm)),
  },
  // A property of the entry, not an embedded entity: it is named in `fields` only.
  values: {
    names: ['valuesByTags'],
    set: (to, wire) => (to.values = valuesFromWire(wire.valuesByTags)),
  },
  result: { ...result, names: ['recoResult'] },
  'result.form': { ...result, names: ['recoResult', 'recoForm', ...formNames] },
  'result.confidence': { ...result, names: ['recoResult', 'recoFormConfidence'] },
};

/** Reads one entry of `recoData` with the given properties. @throws {RestError} `UPSTREAM_ERROR` without an ID */
export function recoDataFromWire(
  wire: Wire,
  documentId: string,
  request: string,
  properties: readonly Property<RecoData>[],
): RecoData {
  const entry: Writable<RecoData> = { documentId, id: id(wire, '_id', request) };
  for (const { set } of properties) set(entry, wire, request);
  return entry;
}

function formFromWire(value: unknown): RecoForm | null {
  const wire = objectOrNull(value);
  return wire && { id: shownId(wire.id), name: text(wire.name), form: wire.form ?? null };
}

function resultFromWire({ recoResult }: Wire): RecoResult | null {
  const wire = objectOrNull(recoResult);
  return wire && { form: formFromWire(wire.recoForm), confidence: number(wire.recoFormConfidence) };
}
