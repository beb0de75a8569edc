import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { messageOf } from '../../model/common.ts';
import type { Host } from '../../server/feature.ts';

type DocumentPipeline = {
  readonly schema: GraphQLSchema;
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
};

export type TrustedDocuments = Awaited<ReturnType<typeof loadTrustedDocuments>>;

const manifests = new WeakMap<Host, Promise<TrustedDocuments>>();

export function trustedDocumentsOf(host: Host, path: string): Promise<TrustedDocuments> {
  const documents = manifests.get(host) ?? loadTrustedDocuments(path);
  manifests.set(host, documents);
  return documents;
}

export async function loadTrustedDocuments(path: string, source = `PERSISTED_DOCUMENTS: ${path}`) {
  const entries = await readManifest(path, source);
  const byId = new Map(entries.map(({ id, text }) => [canonicalId(id), text]));
  const texts = new Set(byId.values());
  for (const text of texts) byId.set(hash('sha256', text), text);
  return {
    find: (id: string): string | undefined => byId.get(canonicalId(id)),
    has: (text: string): boolean => texts.has(text),
    entries: [...new Map(entries.map((entry) => [entry.text, entry])).values()],
    check(pipeline: DocumentPipeline): void {
      checkProblems(source, problemsOf(entries, pipeline));
    },
  };
}

function problemsOf(entries: readonly ManifestEntry[], pipeline: DocumentPipeline): string[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const id = canonicalId(entry.id);
    const duplicate = seen.has(id) ? 'The ID occurs more than once.' : null;
    seen.add(id);
    const problem = duplicate ?? problemOfId(entry) ?? problemOfText(entry.text, pipeline);
    return problem === null ? [] : [`${quoteId(entry.id)}: ${problem}`];
  });
}

function problemOfText(text: string, { schema, parse, validate }: DocumentPipeline): string | null {
  try {
    const [error] = validate(schema, parse(text));
    return error === undefined ? null : error.message;
  } catch (error) {
    return messageOf(error);
  }
}

export interface ManifestEntry {
  readonly id: string;
  readonly text: string;
  readonly description: string | null;
}

class ManifestError extends Error {
  override readonly name = 'ManifestError';

  constructor(source: string, problem: string) {
    super(`${source} ${problem}`);
  }
}

const maxProblems = 20;

function checkProblems(source: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const lines = problems.slice(0, maxProblems);
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`);
  const count = problems.length === 1 ? '1 bad entry' : `${problems.length} bad entries`;
  throw new ManifestError(source, [`has ${count}:`, ...lines].join('\n  '));
}

/**
 * Reads a manifest in the format of Relay Compiler and GraphQL Code Generator (`{"<id>": "<text>"}`), or of Apollo's
 * `generate-persisted-query-manifest`. The entries are in the order of the file. An ID can occur more than once.
 */
async function readManifest(path: string, source: string): Promise<readonly ManifestEntry[]> {
  const json = await readText(path, source);
  const manifest = parse(source, json);
  const entries = isApolloManifest(manifest)
    ? apolloEntries(source, manifest)
    : flatEntries(source, manifest, json);
  if (entries.length === 0) throw new ManifestError(source, 'has no documents.');
  return entries;
}

async function readText(path: string, source: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isNotUtf8 = code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw new ManifestError(source, isNotUtf8 ? 'is not UTF-8.' : `cannot be read (${code}).`);
  }
}

function parse(source: string, json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ManifestError(source, 'is not JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ManifestError(source, 'is not a JSON object.');
}

interface ApolloManifest {
  readonly format?: unknown;
  readonly version?: unknown;
  readonly operations: readonly unknown[];
}

const apolloFormat = 'apollo-persisted-query-manifest';

function isApolloManifest(manifest: object): manifest is ApolloManifest {
  return 'operations' in manifest && Array.isArray(manifest.operations);
}

function apolloEntries(
  source: string,
  { format, version, operations }: ApolloManifest,
): readonly ManifestEntry[] {
  if (format !== apolloFormat || version !== 1) {
    throw new ManifestError(
      source,
      `has operations, but not the format ${apolloFormat}, version 1.`,
    );
  }
  const entries: ManifestEntry[] = [];
  const problems: string[] = [];
  for (const [at, operation] of operations.entries()) {
    const { id, body, description } = Object(operation) as Readonly<Record<string, unknown>>;
    if (typeof id === 'string' && typeof body === 'string') {
      const text = typeof description === 'string' ? description : null;
      entries.push({ id, text: body, description: text });
    } else problems.push(`operations[${at}]: \`id\` and \`body\` must be strings.`);
  }
  checkProblems(source, problems);
  return entries;
}

function flatEntries(source: string, manifest: object, json: string): readonly ManifestEntry[] {
  const problems = Object.entries(manifest)
    .filter(([, text]) => typeof text !== 'string')
    .map(([id]) => `${quoteId(id)}: The document must be a string.`);
  checkProblems(source, problems);
  // JSON.parse drops the first of two members with the same name. The file contains only strings, so names and values
  // alternate.
  const strings = [...json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g)].map(
    ([one]) => JSON.parse(one) as string,
  );
  return Array.from({ length: strings.length / 2 }, (_, at) => ({
    id: strings[2 * at] ?? '',
    text: strings[2 * at + 1] ?? '',
    description: null,
  }));
}

const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };
const names: Readonly<Record<string, string>> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' };

/**
 * Returns the problem of an entry's ID, or null. An ID of 32, 40 or 64 hexadecimal digits must be the MD5, SHA-1 or
 * SHA-256 hash of the text, and so must an ID with the prefix `sha256:`. Any other ID is a name.
 */
function problemOfId({ id, text }: ManifestEntry): string | null {
  const name = canonicalId(id);
  if (name === '') return 'The ID is empty.';
  if (name.startsWith(sha256Prefix)) {
    return 'After the prefix sha256: there must be 64 hexadecimal digits in lower case.';
  }
  const algorithm = /^[0-9a-f]+$/i.test(name) ? algorithms[name.length] : undefined;
  if (algorithm === undefined || hash(algorithm, text) === name.toLowerCase()) return null;
  return `The ID is not the ${names[algorithm]} hash of the document.`;
}

function quoteId(id: string): string {
  return JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);
}

const sha256Prefix = 'sha256:';

export function canonicalId(id: string): string {
  return /^sha256:([0-9a-f]{64})$/.exec(id)?.[1] ?? id;
}

export function isSha256(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}
