import { filesOf, responseFromWire } from './wire.ts';
import type { WireDocument, WireListValue, WirePerson, WireValues } from './wire.ts';

/** The responses of the raw proxy, each written for one query. */
export function scalars(wire: WireDocument): object {
  return {
    fullId: wire._id,
    shortId: wire._id_web,
    state: wire.state,
    step: wire.step,
    iteration: wire.iteration,
    status: wire.status,
    dateCreated: wire.datecreated,
    dateDue: wire.datedue || null,
  };
}

type Persons = ReadonlyMap<string, WirePerson>;

export function inbox(documents: readonly WireDocument[], persons: Persons, total: number): object {
  const nodes = documents.map((wire) => ({
    fullId: wire._id,
    shortId: wire._id_web,
    state: wire.state,
    values: values(wire.valuesByTags, true),
    files: filesOf(wire),
    author: author(persons.get(wire.author ?? '')),
  }));
  return { totalCount: total, nodes };
}

export function references(
  root: WireDocument,
  referring: readonly WireDocument[],
  persons: Persons,
): object {
  const nodes = referring.map((wire) => ({
    fullId: wire._id,
    shortId: wire._id_web,
    state: wire.state,
    recoData: (wire.recoData ?? []).map((entry) => ({
      id: entry._id,
      pageIndexStart: entry.pageIdxStart,
      pageIndexEnd: entry.pageIdxEnd,
      validated: entry.validated,
      values: values(entry.valuesByTags, false),
    })),
    files: filesOf(wire),
    author: author(persons.get(wire.author ?? '')),
    response: wire.docResponse && responseFromWire(wire.docResponse),
  }));
  return {
    fullId: root._id,
    shortId: root._id_web,
    state: root.state,
    refByDocs: { totalCount: root.refByDocs?.length, nodes },
  };
}

export function afterAction(wire: WireDocument): object {
  return {
    fullId: wire._id,
    shortId: wire._id_web,
    state: wire.state,
    step: wire.step,
    status: wire.status,
    values: values(wire.valuesByTags, true),
    files: filesOf(wire),
  };
}

export function status(wire: WireDocument): object {
  return {
    id: Buffer.from(`Document:${wire._id}`).toString('base64'),
    state: wire.state,
    step: wire.step,
    iteration: wire.iteration,
    status: wire.status,
  };
}

export function levels(chain: readonly WireListValue[]): object | undefined {
  let inner: object | undefined;
  for (const wire of chain.toReversed()) {
    inner = {
      fullId: wire._id,
      externalId: wire._id_ext,
      value: wire.value['en'],
      ...(inner ? { parent: inner } : {}),
    };
  }
  return inner;
}

function author(person: WirePerson | undefined): object | undefined {
  return (
    person && {
      systemId: person._id_sys,
      email: person.email,
      firstName: person.name_first,
      lastName: person.name_last,
      unitName: person.unit,
    }
  );
}

function values(byTags: WireValues | undefined, tables: boolean): object[] {
  const list: object[] = [];
  for (const tag in byTags) {
    const value = byTags[tag];
    if (typeof value === 'string') list.push({ tag, text: value });
    else if (value !== undefined) {
      list.push(tables ? { tag, columns: value[0], rows: value.slice(1) } : { tag });
    }
  }
  return list;
}
