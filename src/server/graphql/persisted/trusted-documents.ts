import { hash } from 'node:crypto';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { canonicalId } from './document-id.ts';
import {
  checkProblems,
  problemOfId,
  quoteId,
  readManifest,
  type ManifestEntry,
} from './manifest.ts';

/** Parses and validates a text like that of a request. */
interface DocumentPipeline {
  readonly schema: GraphQLSchema;
  /** @throws {GraphQLError} */
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
}

/** The query documents of the manifest in `PERSISTED_DOCUMENTS`. */
export interface TrustedDocuments {
  /**
   * Returns the text with this ID, with or without the prefix `sha256:`. The SHA-256 hash of a text is always one of
   * its IDs.
   */
  find(id: string): string | undefined;
  has(text: string): boolean;
  /** Checks all documents. @throws {ManifestError} with the entries that are invalid or have a wrong ID */
  check(pipeline: DocumentPipeline): void;
}

/**
 * Reads the manifest, without checking its documents. @throws {ManifestError} if the file cannot be read or has an
 * unknown format
 */
export async function loadTrustedDocuments(path: string): Promise<TrustedDocuments> {
  const entries = await readManifest(path);
  const byId = new Map(entries.map(({ id, text }) => [canonicalId(id), text]));
  const texts = new Set(byId.values());
  for (const text of texts) byId.set(hash('sha256', text), text);
  return {
    find: (id) => byId.get(canonicalId(id)),
    has: (text) => texts.has(text),
    check(pipeline) {
      checkProblems(path, problemsOf(entries, pipeline));
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
    return error instanceof Error ? error.message : String(error);
  }
}
