/** Options of a sandbox. */
export interface SandboxOptions {
  /**
   * The data directory with the database and the files. It is created if it does not exist. Only one sandbox can use it
   * at a time. Default: a temporary directory, which is removed on close.
   */
  dataDir?: string;
  /** Port to listen on. 0 (the default) selects a free port. */
  port?: number;
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string;
  /** Variants of behaviour that the specification leaves open. */
  variants?: SandboxVariants;
  /** Called with `METHOD /path?query` for every request, before it is processed. */
  onRequest?: (line: string) => void;
}

/** Variants in which installations can differ. The defaults follow the current revision of the specification. */
export interface SandboxVariants {
  /** Path segment of the system forms. The other spelling returns 404. Default `sysForm`. */
  formsPath?: 'sysForm' | 'sysFrom';
  /** Name of the total count header of views. Default `svc-total-count`. */
  totalCountHeader?: 'svc-total-count' | 'X-Total-Count';
  /**
   * Shape of list values under /api/v2: `_id_kf` and `value`, or `kfunid` and `valuedata` of version 1. Default `v2`.
   */
  listValues?: 'v2' | 'v1';
  /**
   * Attachment path with the document ID (`document`) or without it (`bare`). The other one returns 404. Default
   * `document`.
   */
  attachmentPath?: 'document' | 'bare';
}

export type Variants = Required<SandboxVariants>;

export function withDefaults(variants: SandboxVariants = {}): Variants {
  return {
    formsPath: variants.formsPath ?? 'sysForm',
    totalCountHeader: variants.totalCountHeader ?? 'svc-total-count',
    listValues: variants.listValues ?? 'v2',
    attachmentPath: variants.attachmentPath ?? 'document',
  };
}
