import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import { startSandbox } from '../../sandbox/index.ts';

export type Wire = Record<string, unknown>;

export interface Answer<Body = Wire> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Value of `svc-run-as`. */
  readonly as?: string;
  readonly authorization?: string;
}

export interface Client {
  readonly url: string;
  readonly authorization: string;
  /** Sends a request and parses its JSON response. */
  call<Body = Wire>(path: string, options?: CallOptions): Promise<Answer<Body>>;
  /** Sends a request without reading its response. */
  fetch(path: string, options?: CallOptions): Promise<Response>;
}

export function clientOf({ url, authorization }: Pick<Sandbox, 'url' | 'authorization'>): Client {
  const send = (path: string, options: CallOptions = {}): Promise<Response> => {
    const headers = new Headers(options.headers);
    if (!headers.has('authorization')) {
      headers.set('authorization', options.authorization ?? authorization);
    }
    if (options.as !== undefined) headers.set('svc-run-as', options.as);
    const init: RequestInit = { method: options.method ?? 'GET', headers };
    if (options.body instanceof FormData || typeof options.body === 'string') {
      init.body = options.body;
    } else if (options.body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(options.body);
    }
    return fetch(url + path, init);
  };
  return {
    url,
    authorization,
    fetch: send,
    async call<Body = Wire>(path: string, options?: CallOptions): Promise<Answer<Body>> {
      const response = await send(path, options);
      const body: Body = JSON.parse(await response.text());
      return { status: response.status, headers: response.headers, body };
    },
  };
}

/** A directory that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new sandbox for one test, which is closed and removed afterwards. */
export async function freshSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<Client & { readonly dataDir: string }> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const sandbox = await startSandbox({ ...options, dataDir });
  onTestFinished(() => sandbox.close());
  return { ...clientOf(sandbox), dataDir };
}

/** One sandbox for a file or suite whose tests do not interfere. */
export function sharedSandbox(): Client & { readonly dataDir: string } {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  let sandbox: Sandbox | undefined;
  const client = (): Client => {
    if (sandbox === undefined) throw new Error('The sandbox starts with the first test.');
    return clientOf(sandbox);
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ dataDir });
  });
  afterAll(async () => {
    await sandbox?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    get url() {
      return client().url;
    },
    get authorization() {
      return client().authorization;
    },
    fetch: (path, options) => client().fetch(path, options),
    call: (path, options) => client().call(path, options),
  };
}

/** The parts of a document's creation. */
export function creation(parts: {
  docForm?: unknown;
  docResponse?: unknown;
  files?: readonly (readonly [name: string, content: string | Blob])[];
}): FormData {
  const form = new FormData();
  if (parts.docForm !== undefined) form.append('docForm', JSON.stringify(parts.docForm));
  if (parts.docResponse !== undefined) {
    form.append('docResponse', JSON.stringify(parts.docResponse));
  }
  for (const [name, content] of parts.files ?? []) {
    form.append('files', typeof content === 'string' ? new Blob([content]) : content, name);
  }
  return form;
}

/** Creates a document and returns its full id. */
export async function create(
  dms: Client,
  formName: string,
  parts: Parameters<typeof creation>[0] = {},
  as?: string,
): Promise<string> {
  const { body } = await dms.call(`/api/v2/docForm/form/${formName}`, {
    method: 'POST',
    body: creation(parts),
    ...(as === undefined ? {} : { as }),
  });
  return String(body._id);
}

/** Seeded full IDs. See sandbox/README.md. */
export const seeded = {
  document: (n: number) => `65f000005eed00d0${n.toString(16).padStart(8, '0')}`,
  file: (n: number, position: number) =>
    `65f000005eed00a0${(n * 0x10 + position).toString(16).padStart(8, '0')}`,
  recoEntry: (n: number, position: number) =>
    `65f000005eed00e0${(n * 0x10 + position).toString(16).padStart(8, '0')}`,
  organization: (n: number) => `65f000005eed00c0${n.toString(16).padStart(8, '0')}`,
  directory: (n: number) => `65f000005eed0010${n.toString(16).padStart(8, '0')}`,
  form: (n: number) => `65f000005eed00f0${n.toString(16).padStart(8, '0')}`,
};
