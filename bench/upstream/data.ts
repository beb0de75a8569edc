import { RANGES, documentId, fileId, listValueId, personId, responseId } from './ids.ts';

/** Total count of every view. */
export const TOTAL_IN_VIEW = 1000;

export interface WirePerson {
  readonly _id_sys: string;
  readonly email: string;
  readonly name_first: string;
  readonly name_mid: string;
  readonly name_last: string;
  readonly phone_office: string;
  readonly phone_mobile: string;
  readonly unit: string;
  readonly _meta: WireMeta;
}

interface WireMeta {
  readonly _created: string;
  readonly _lastmodified: string;
  readonly _rev: number;
}

export type WireValues = Readonly<Record<string, string | readonly (readonly string[])[]>>;
export type WireEntity = Readonly<Record<string, unknown>>;

export interface WireDocument extends WireEntity {
  readonly _id: string;
  readonly author: string;
  readonly valuesByTags: WireValues;
  readonly filesList: readonly { id: string; fileName: string }[];
  readonly refByDocs: readonly string[];
  readonly recoData: readonly WireEntity[];
  readonly docResponse: WireEntity;
}

function meta(seed: number): WireMeta {
  const created = Date.UTC(2026, seed % 12, 1 + (seed % 28), seed % 24, seed % 60);
  return {
    _created: new Date(created).toISOString(),
    _lastmodified: new Date(created + 86_400_000).toISOString(),
    _rev: 1 + (seed % 9),
  };
}

/** A person as one caller sees it. The unit contains the caller, so that a response for another caller is detected. */
export function person(caller: number, id: string): WirePerson {
  const seed = parseInt(id.slice(-4), 16) || 0;
  return {
    _id_sys: id,
    email: `${id}@example.org`,
    name_first: `First${seed}`,
    name_mid: '',
    name_last: `Last${seed}`,
    phone_office: `+372 600 ${1000 + seed}`,
    phone_mobile: `+372 500 ${1000 + seed}`,
    unit: `Unit ${seed % 7} seen by ${caller}`,
    _meta: meta(seed),
  };
}

function values(seed: number): WireValues {
  return {
    title: `Invoice ${seed} from a supplier`,
    number: `2026/${seed}`,
    amount: `${(seed * 37) % 10_000}.50`,
    supplier: `Supplier ${seed % 31} OÜ`,
    notes: `Please check line ${seed % 5} and the delivery date before approval. `.repeat(2).trim(),
    items: [
      ['article', 'count', 'price'],
      ...[0, 1, 2].map((row) => [`Article ${seed + row}`, `${row + 1}`, `${10 + row}.00`]),
    ],
  };
}

function files(caller: number, index: number): { id: string; fileName: string }[] {
  return [0, 1].map((n) => ({
    id: fileId(1024 + n),
    fileName: `scan-${caller}-${index}-${n}.pdf`,
  }));
}

function recoData(index: number): WireEntity[] {
  return [0, 1].map((n) => ({
    _id: documentId(0xeec0, index * 2 + n),
    pageIdxStart: n,
    pageIdxEnd: n + 1,
    validated: n === 0,
    recoForm: { form: null, id: `form-${n}`, name: `Recognized form ${n}` },
    valuesByTags: values(index + n),
    recoResult: {
      recoForm: { form: null, id: `form-${n}`, name: 'Guess' },
      recoFormConfidence: 0.9,
    },
  }));
}

function authorIndex(index: number): number {
  if (index >= RANGES.repository && index < RANGES.single) return index % 4;
  return index % 100;
}

function refByDocs(caller: number, index: number): string[] {
  if (index < RANGES.referenced || index % 10 !== 0) return [];
  return [1, 2, 3, 4, 5].map((n) => documentId(caller, index + n));
}

/** A document with every embedded entity, before projection. */
export function document(caller: number, index: number): WireDocument {
  const stamp = meta(index);
  return {
    _id: documentId(caller, index),
    _id_web: `DOC-${caller}-${index}`,
    _meta: stamp,
    author: personId(authorIndex(index)),
    state: index % 5,
    step: index % 3,
    iteration: index % 2,
    status: 1 + (index % 9),
    formsystype: 2,
    datecreated: stamp._created,
    datedue: index % 4 === 0 ? '' : stamp._lastmodified,
    _tags: ['bench', `group-${index % 6}`],
    docnum: `N-${index}`,
    sysprocessunid: documentId(0xacc, 1),
    valuesByTags: values(index),
    filesList: files(caller, index),
    refByDocs: refByDocs(caller, index),
    recoData: recoData(index),
    docResponse: {
      _id: responseId(caller, index),
      _ref: documentId(caller, index),
      state: index % 5,
      status: 1,
      taskstatus: 0,
      resolid: documentId(0xacc, 2),
      resolto: personId(index % 100),
      content: `Please answer ${index}`,
      step: index % 3,
      itearation: index % 2,
      author: personId(index % 100),
      _meta: stamp,
    },
  };
}

/** A list value as one caller sees it. The parent of each level is the level above. */
export function listValue(caller: number, level: number): WireEntity {
  return {
    _id: listValueId(level),
    ...(level > 0 ? { _id_kf: listValueId(level - 1) } : {}),
    _id_ext: `ext-${level}`,
    _meta: meta(level),
    author: personId(level),
    status: 1,
    type: 1,
    value: { en: `Level ${level} for ${caller}`, et: `Tase ${level}` },
  };
}
