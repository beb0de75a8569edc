/** What a sandbox listens on, stores and answers differently. All have defaults. */
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

const variantValues: { readonly [K in keyof Variants]: readonly Variants[K][] } = {
  formsPath: ['sysForm', 'sysFrom'],
  totalCountHeader: ['svc-total-count', 'X-Total-Count'],
  listValues: ['v2', 'v1'],
  attachmentPath: ['document', 'bare'],
};

/** Checks what the compiler cannot check in JavaScript. @throws {TypeError} naming every invalid option */
export function checkOptions(options: SandboxOptions): void {
  if (!isObject(options)) throw new TypeError('The options of the sandbox must be an object');
  const { dataDir, port, host, variants, onRequest, ...others } = options;
  const problems = Object.keys(others).map((name) => `${name} is not an option`);
  const check = (isValid: boolean, problem: string): void => {
    if (!isValid) problems.push(problem);
  };
  check(dataDir === undefined || isText(dataDir), 'dataDir must be a non-empty string');
  check(port === undefined || isPort(port), 'port must be an integer from 0 to 65535');
  check(host === undefined || isText(host), 'host must be a non-empty string');
  check(variants === undefined || isObject(variants), 'variants must be an object');
  check(onRequest === undefined || typeof onRequest === 'function', 'onRequest must be a function');
  const known = new Map<string, readonly string[]>(Object.entries(variantValues));
  for (const [name, value] of Object.entries(variants ?? {})) {
    const values = known.get(name);
    if (values === undefined) problems.push(`variants.${name} is not an option`);
    else if (value !== undefined && !values.some((one) => one === value))
      problems.push(`variants.${name} must be ${values.join(' or ')}`);
  }
  if (problems.length > 0) {
    throw new TypeError(`Invalid options of the sandbox:\n  ${problems.join('\n  ')}`);
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isPort = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
