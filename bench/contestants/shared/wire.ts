/** The properties of upstream entities that the workloads read. */
export interface WireDocument {
  readonly _id: string;
  readonly _id_web?: string;
  readonly author?: string;
  readonly state?: number;
  readonly step?: number;
  readonly iteration?: number;
  readonly status?: number;
  readonly datecreated?: string;
  readonly datedue?: string;
  readonly valuesByTags?: WireValues;
  readonly filesList?: readonly { id: string; fileName: string }[];
  readonly refByDocs?: readonly string[];
  readonly recoData?: readonly WireRecoData[];
  readonly docResponse?: WireResponse;
}

export type WireValues = Readonly<Record<string, string | string[][]>>;

interface WireRecoData {
  readonly _id: string;
  readonly pageIdxStart?: number;
  readonly pageIdxEnd?: number;
  readonly validated?: boolean;
  readonly valuesByTags?: WireValues;
}

export interface WireResponse {
  readonly _id: string;
  readonly state?: number;
  readonly step?: number;
  readonly status?: number;
  readonly content?: string;
}

export interface WirePerson {
  readonly _id_sys: string;
  readonly email?: string;
  readonly name_first?: string;
  readonly name_last?: string;
  readonly unit?: string;
}

export interface WireListValue {
  readonly _id: string;
  readonly _id_kf?: string;
  readonly _id_ext?: string;
  readonly value: Readonly<Record<string, string>>;
}

export interface Page {
  readonly documents: readonly WireDocument[];
  readonly total: number;
}

function valuesOf(byTags: WireValues | undefined): object[] {
  const list: object[] = [];
  for (const tag in byTags) {
    const value = byTags[tag];
    if (typeof value === 'string') list.push({ __typename: 'TextValue', tag, text: value });
    else if (value !== undefined) {
      list.push({ __typename: 'TableValue', tag, columns: value[0], rows: value.slice(1) });
    }
  }
  return list;
}

export function filesOf(wire: WireDocument): object[] {
  return (wire.filesList ?? []).map(({ id, fileName }) => ({ id, name: fileName }));
}

/**
 * Converts a document to the names of the schema. All properties are plain, so that executors need no function per
 * field.
 */
export function documentFromWire(wire: WireDocument): object {
  return {
    fullId: wire._id,
    shortId: wire._id_web,
    authorId: wire.author,
    state: wire.state,
    step: wire.step,
    iteration: wire.iteration,
    status: wire.status,
    dateCreated: wire.datecreated,
    dateDue: wire.datedue || null,
    values: valuesOf(wire.valuesByTags),
    files: filesOf(wire),
    referringIds: wire.refByDocs ?? [],
    recoData: (wire.recoData ?? []).map(recoFromWire),
    response: wire.docResponse && responseFromWire(wire.docResponse),
  };
}

function recoFromWire(wire: WireRecoData): object {
  return {
    id: wire._id,
    pageIndexStart: wire.pageIdxStart,
    pageIndexEnd: wire.pageIdxEnd,
    validated: wire.validated,
    values: valuesOf(wire.valuesByTags),
  };
}

export function responseFromWire(wire: WireResponse): object {
  const { _id: fullId, state, step, status, content } = wire;
  return { fullId, state, step, status, content };
}

export function personFromWire(wire: WirePerson): object {
  return {
    __typename: 'Person',
    systemId: wire._id_sys,
    email: wire.email,
    firstName: wire.name_first,
    lastName: wire.name_last,
    unitName: wire.unit,
  };
}

export function listValueFromWire(wire: WireListValue): object {
  return { fullId: wire._id, externalId: wire._id_ext, texts: wire.value, parentId: wire._id_kf };
}
