import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { isFullId } from '../../model/resource.ts';
import { badInput } from '../graphql-error.ts';
import { ownIdIn } from '../ids.ts';
import { bounds } from '../input/list-bounds.ts';
import type { MutationError } from '../input/mutation-error.ts';
import { checkFieldsBelow } from '../plan/list-fields.ts';

export interface BulkResults<Result> {
  readonly results: readonly (Result | MutationError | Error)[];
}

export interface BulkWrite {
  readonly documentId: string;
  readonly calls: number;
}

type Checked<W> = { readonly value: W } | { readonly failure: MutationError };

export interface BulkInput {
  readonly document: string;
  readonly expectedRevision?: number | null | undefined;
}

export function checkItems(list: string, { length }: readonly unknown[]): void {
  if (length >= 1 && length <= bounds.bulkItems) return;
  throw badInput(`\`input.${list}\` must have 1 to ${bounds.bulkItems} entries, not ${length}.`);
}

export function costOfBulk<Input extends BulkInput>(
  inputs: readonly Input[],
  callsOf: (input: Input) => number,
  deletes: (input: Input) => boolean = () => false,
) {
  const left = inputs.filter((input) => !deletes(input));
  const documents = new Set(left.map(({ document }) => ownIdIn(document)));
  return { calls: sum(inputs, callsOf), items: documents.size };
}

/**
 * Writes every valid item once. Items that can denote the same document are written one after the other. @throws
 * UPSTREAM_BUDGET_EXCEEDED, BAD_USER_INPUT before the first call, because a write cannot be taken back
 */
export async function writeAll<W extends BulkWrite, Result>(
  items: readonly Checked<W>[],
  write: (item: W, context: GatewayContext) => Promise<Result>,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<BulkResults<Result>> {
  const { loaders, dms } = context;
  const results: (Result | MutationError | Error)[] = [];
  const valid: { readonly value: W; readonly index: number }[] = [];
  for (const [index, item] of items.entries()) {
    if ('failure' in item) results[index] = item.failure;
    else valid.push({ ...item, index });
  }
  checkFieldsBelow('results', items.length, context, info);
  dms.budget.reserveCalls(sum(valid, ({ value }) => value.calls));
  try {
    for (const sequences of parallelSequences(valid)) {
      // Each worker takes the next sequence when it has written the one before.
      const next = sequences.values();
      const worker = async (): Promise<void> => {
        for (const sequence of next) {
          for (const { value, index } of sequence) {
            results[index] = await write(value, context).catch(asError);
          }
        }
      };
      const workers = Math.min(dms.budget.maxInFlight, sequences.size);
      await Promise.all(Array.from({ length: workers }, worker));
    }
  } finally {
    dms.budget.releaseCalls();
  }
  loaders.clear();
  return { results };
}

/**
 * Groups of items that are written one after the other. Within a group, items of one document form a sequence, and
 * sequences can be written concurrently.
 *
 * Only the DMS knows whether a full and a short ID denote the same document, so a new group starts when the kind of ID
 * changes.
 */
function* parallelSequences<Item extends { readonly value: BulkWrite }>(
  items: readonly Item[],
): Generator<ReadonlyMap<string, readonly Item[]>> {
  let sequences = new Map<string, Item[]>();
  let isFull = false;
  for (const item of items) {
    const { documentId } = item.value;
    if (isFullId(documentId) !== isFull) {
      yield sequences;
      sequences = new Map();
      isFull = !isFull;
    }
    const key = documentId.trim().toLowerCase(); // in case that the DMS ignores both
    const sequence = sequences.get(key);
    if (sequence === undefined) sequences.set(key, [item]);
    else sequence.push(item);
  }
  yield sequences;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A write failed.', { cause: error });
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
