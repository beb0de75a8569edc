import { hash } from 'node:crypto';
import type { TestGateway } from './gateway.ts';
import { temporaryFile } from './temporary-directory.ts';

export const sha256 = (text: string): string => hash('sha256', text);

/** Writes a file that is removed after the test, and returns its path. */
export function writeManifest(content: unknown): string {
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  return temporaryFile('manifest.json', isRaw ? content : JSON.stringify(content));
}

/** The `extensions` of a request with the hash of a document. */
export function persistedQuery(sha256Hash: unknown, version: unknown = 1): object {
  return { extensions: { persistedQuery: { version, sha256Hash } } };
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests know the shape of what they select
  readonly body: any;
}

export interface PersistedClient {
  post(params: object, headers?: Record<string, string>): Promise<Answer>;
  /** Sends parameters in the URL, objects as JSON. */
  get(params: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
}

/** Sends parameters unchanged. */
export function persistedClient(gateway: Pick<TestGateway, 'fetch'>): PersistedClient {
  const read = async (response: Response): Promise<Answer> => ({
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  });
  return {
    post: async (params, headers) =>
      read(
        await gateway.fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
          body: JSON.stringify(params),
        }),
      ),
    async get(params, headers = { 'apollo-require-preflight': 'true' }) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(params)) {
        search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
      }
      return read(
        await gateway.fetch(`/graphql?${search}`, {
          headers: { accept: 'application/json', ...headers },
        }),
      );
    },
  };
}
