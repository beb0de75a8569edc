import type { RecoDataNeed } from '../../model/document-needs.ts';
import type { RecoData, RecoForm, RecoResult } from '../../model/document.ts';
import type { Property } from './projection.ts';
import { bool, id, int, number, objectOrNull, text } from './read.ts';
import type { Wire } from './read.ts';
import { valuesFromWire } from './values.ts';

// A recognition form's own properties stand in the same flat list of names as everything else.
const formNames = ['form', 'id', 'name'];

const result = { key: 'result', embed: ['recoResult'], read: (wire: Wire) => resultFromWire(wire) };

/** The properties of a recognition entry, in the order in which they are asked for. */
export const recoDataProperties: Readonly<Record<RecoDataNeed, Property>> = {
  pageIndexStart: {
    key: 'pageIndexStart',
    names: ['pageIdxStart'],
    read: (wire) => int(wire.pageIdxStart),
  },
  pageIndexEnd: {
    key: 'pageIndexEnd',
    names: ['pageIdxEnd'],
    read: (wire) => int(wire.pageIdxEnd),
  },
  validated: { key: 'validated', names: ['validated'], read: (wire) => bool(wire.validated) },
  form: {
    key: 'form',
    names: ['recoForm', ...formNames],
    read: (wire) => formFromWire(wire.recoForm),
  },
  // A property of the entry, not an embedded entity: it stands in `fields` alone.
  values: {
    key: 'values',
    names: ['valuesByTags'],
    read: (wire) => valuesFromWire(wire.valuesByTags),
  },
  result: { ...result, names: ['recoResult'] },
  'result.form': { ...result, names: ['recoResult', 'recoForm', ...formNames] },
  'result.confidence': { ...result, names: ['recoResult', 'recoFormConfidence'] },
};

export function recoDataFromWire(
  wire: Wire,
  request: string,
  properties: readonly Property[],
): RecoData {
  const entry: Record<string, unknown> = { id: id(wire, '_id', request) };
  for (const { key, read } of properties) entry[key] = read(wire, request);
  return entry as unknown as RecoData;
}

function formFromWire(value: unknown): RecoForm | null {
  const wire = objectOrNull(value);
  return wire && { id: text(wire.id), name: text(wire.name), form: wire.form ?? null };
}

function resultFromWire({ recoResult }: Wire): RecoResult | null {
  const wire = objectOrNull(recoResult);
  return wire && { form: formFromWire(wire.recoForm), confidence: number(wire.recoFormConfidence) };
}
