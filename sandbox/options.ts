/** How a sandbox is started. */
export interface SandboxOptions {
  /** The folder that holds the database and the files; made when it is missing. One sandbox at a time may use it. */
  dataDir: string;
  /** Port to listen on; 0 (the default) takes a free one. */
  port?: number;
  /** Address to listen on; 127.0.0.1 where left out. */
  host?: string;
  /** Where the specification leaves two readings open: which one this sandbox answers with. */
  variants?: SandboxVariants;
  /** Called with `METHOD /path?query` for every request, before it is answered. */
  onRequest?: (line: string) => void;
}

/** Readings that real installations may differ in. Each defaults to the current revision's. */
export interface SandboxVariants {
  /** The path segment of the system forms; the other spelling is 404. Default `sysForm`. */
  formsPath?: 'sysForm' | 'sysFrom';
  /** The header that carries a view's total count. Default `svc-total-count`. */
  totalCountHeader?: 'svc-total-count' | 'X-Total-Count';
  /** The shape of list values under /api/v2: `_id_kf`/`value`, or version 1's `kfunid`/`valuedata`. Default `v2`. */
  listValues?: 'v2' | 'v1';
  /** Attachment path with the document's id (`document`) or without (`bare`); the other is 404. Default `document`. */
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
