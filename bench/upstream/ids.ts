/** How many different users take turns. Each has documents of its own. */
export const CALLERS = 16;

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** Ranges of a caller's document numbers; the range decides what a document is like. */
export const RANGES = {
  /** 0–999: every author another of a hundred. */
  inbox: 0,
  /** 1000–1999: four authors in turn. */
  repository: 1000,
  /** 2000–2999: read and answered one by one. */
  single: 2000,
  /** 3000–3999: tens; the first of ten is referenced by the five that follow. */
  referenced: 3000,
} as const;

/** Full id of a caller's document: the upstream refuses it to every other caller. */
export function documentId(caller: number, index: number): string {
  return `64d0c000${hex(caller, 8)}${hex(index, 8)}`;
}

/** The other direction of `documentId`; undefined for anything else. */
export function parseDocumentId(id: string): { caller: number; index: number } | undefined {
  if (!/^64d0c000[0-9a-f]{16}$/.test(id)) return undefined;
  return { caller: parseInt(id.slice(8, 16), 16), index: parseInt(id.slice(16), 16) };
}

/** A response's id names its document, so that an answer to another one is refused. */
export function responseId(caller: number, index: number): string {
  return `64e5b000${hex(caller, 8)}${hex(index, 8)}`;
}

/** A file's id carries its size in bytes: downloads of any size need no store. */
export function fileId(size: number): string {
  return `64f11e00${hex(size, 16)}`;
}

export function parseFileSize(id: string): number | undefined {
  return /^64f11e00[0-9a-f]{16}$/.test(id) ? parseInt(id.slice(8), 16) : undefined;
}

/** A list value some levels below a directory; level 0 is the directory. */
export function listValueId(level: number): string {
  return `64115700${hex(level, 16)}`;
}

export function parseListValueId(id: string): number | undefined {
  return /^64115700[0-9a-f]{16}$/.test(id) ? parseInt(id.slice(8), 16) : undefined;
}

export const personId = (index: number): string => `usr-person${hex(index, 4)}`;

export interface Credentials {
  readonly authorization: string;
  readonly runAs: string;
}

/** What a caller sends; the upstream answers only when both belong together. */
export function credentials(caller: number): Credentials {
  return { authorization: `Bearer bench-${caller}`, runAs: `usr-caller${hex(caller, 4)}` };
}
