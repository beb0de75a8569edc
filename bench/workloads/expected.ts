import { document, listValue, person } from '../upstream/data.ts';
import type { WireDocument, WireValues } from '../upstream/data.ts';
import { RANGES, parseDocumentId } from '../upstream/ids.ts';

/**
 * The expected responses. They are computed from the upstream's data only, without code of a contestant, in the order
 * of the query's fields.
 */
export function expectedScalars(caller: number, index: number): unknown {
  const wire = document(caller, index);
  return {
    fullId: wire._id,
    shortId: wire['_id_web'],
    state: wire['state'],
    step: wire['step'],
    iteration: wire['iteration'],
    status: wire['status'],
    dateCreated: wire['datecreated'],
    dateDue: wire['datedue'] === '' ? null : wire['datedue'],
  };
}

export function expectedInbox(
  caller: number,
  view: 'inbox' | 'repository',
  first: number,
  total: number,
): unknown {
  const base = RANGES[view];
  const nodes = Array.from({ length: first }, (_, at) => {
    const wire = document(caller, base + at);
    return {
      fullId: wire._id,
      shortId: wire['_id_web'],
      state: wire['state'],
      values: values(wire.valuesByTags, true),
      files: files(wire),
      author: author(caller, wire),
    };
  });
  return { totalCount: total, nodes };
}

export function expectedReferences(caller: number, index: number): unknown {
  const root = document(caller, index);
  const nodes = root.refByDocs.map((id) => {
    const wire = document(caller, parseDocumentId(id)?.index ?? -1);
    return {
      fullId: wire._id,
      shortId: wire['_id_web'],
      state: wire['state'],
      recoData: wire.recoData.map((entry) => ({
        id: entry['_id'],
        pageIndexStart: entry['pageIdxStart'],
        pageIndexEnd: entry['pageIdxEnd'],
        validated: entry['validated'],
        values: values(entry['valuesByTags'] as WireValues, false),
      })),
      files: files(wire),
      author: author(caller, wire),
      response: {
        fullId: wire.docResponse['_id'],
        state: wire.docResponse['state'],
        step: wire.docResponse['step'],
        status: wire.docResponse['status'],
        content: wire.docResponse['content'],
      },
    };
  });
  return {
    fullId: root._id,
    shortId: root['_id_web'],
    state: root['state'],
    refByDocs: { totalCount: nodes.length, nodes },
  };
}

export function expectedAfterAction(caller: number, index: number): unknown {
  const wire = document(caller, index);
  return {
    fullId: wire._id,
    shortId: wire['_id_web'],
    state: wire['state'],
    step: wire['step'],
    status: wire['status'],
    values: values(wire.valuesByTags, true),
    files: files(wire),
  };
}

export function expectedStatus(caller: number, index: number): unknown {
  const wire = document(caller, index);
  return {
    id: Buffer.from(`Document:${wire._id}`).toString('base64'),
    state: wire['state'],
    step: wire['step'],
    iteration: wire['iteration'],
    status: wire['status'],
  };
}

/** A list value with its parents, `levels` deep. */
export function expectedLevels(caller: number, levels: number): unknown {
  const wire = listValue(caller, levels - 1);
  const value = wire['value'] as { en: string };
  const own = { fullId: wire['_id'], externalId: wire['_id_ext'], value: value.en };
  return levels === 1 ? own : { ...own, parent: expectedLevels(caller, levels - 1) };
}

function values(byTags: WireValues, tables: boolean): unknown[] {
  return Object.entries(byTags).map(([tag, value]) => {
    if (typeof value === 'string') return { tag, text: value };
    return tables ? { tag, columns: value[0], rows: value.slice(1) } : { tag };
  });
}

function files(wire: WireDocument): unknown[] {
  return wire.filesList.map(({ id, fileName }) => ({ id, name: fileName }));
}

function author(caller: number, wire: WireDocument): unknown {
  const who = person(caller, wire.author);
  return {
    systemId: who._id_sys,
    email: who.email,
    firstName: who.name_first,
    lastName: who.name_last,
    unitName: who.unit,
  };
}
