/** Number of users that take turns. Each has its own documents. */
export const CALLERS = 16;

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** Ranges of a caller's document numbers. The range determines the properties of a document. */
export const RANGES = {
  /** 0–999: a hundred authors in turn. */
  inbox: 0,
  /** 1000–1999: four authors in turn. */
  repository: 1000,
  /** 2000–2999: documents that are read and processed individually. */
  single: 2000,
  /** 3000–3999: groups of ten. The next five documents refer to the first of a group. */
  referenced: 3000,
} as const;

/** Full ID of a caller's document. The upstream rejects it for every other caller. */
export function documentId(caller: number, index: number): string {
  return `64d0c000${hex(caller, 8)}${hex(index, 8)}`;
}

/** Parses an ID of `documentId`. Undefined for anything else. */
export function parseDocumentId(id: string): { caller: number; index: number } | undefined {
  if (!/^64d0c000[0-9a-f]{16}$/.test(id)) return undefined;
  return { caller: parseInt(id.slice(8, 16), 16), index: parseInt(id.slice(16), 16) };
}

/** The ID of a response contains its document, so that a response to another document is rejected. */
export function responseId(caller: number, index: number): string {
  return `64e5b000${hex(caller, 8)}${hex(index, 8)}`;
}

/** The ID of a file contains its size in bytes, so that downloads of any size need no storage. */
export function fileId(size: number): string {
  return `64f11e00${hex(size, 16)}`;
}

export function parseFileSize(id: string): number | undefined {
  return /^64f11e00[0-9a-f]{16}$/.test(id) ? parseInt(id.slice(8), 16) : undefined;
}

/** The ID of a list value at a level below a directory. Level 0 is the directory. */
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

/** The headers of a caller. The upstream accepts them only in this combination. */
export function credentials(caller: number): Credentials {
  return { authorization: `Bearer bench-${caller}`, runAs: `usr-caller${hex(caller, 4)}` };
}
