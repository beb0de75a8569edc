import type { GatewayContext } from '../../context.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { builder, capitalized, type InputRef } from '../builder.ts';
import { checkInput, type InputCheck, type Path } from '../input/input-check.ts';
import { ownIdIn } from '../ids.ts';
import { defineMutation } from '../input/define-mutation.ts';
import { bounds } from '../input/list-bounds.ts';
import {
  ConflictErrorRef,
  notFound,
  validationError,
  type Conflict,
  type MutationError,
} from '../input/mutation-error.ts';
import { parsedArgs } from '../plan/parsed-arguments.ts';
import { DocumentRef } from '../refs.ts';
import { documentOf } from '../related-objects.ts';
import {
  checkItems,
  costOfBulk,
  writeAll,
  type BulkInput,
  type BulkResults,
  type BulkWrite,
} from './bulk-write.ts';

/*
 * The common parts of the workflow mutations: the response of a participant in the current phase, and changes of phase
 * or status by the initiator or an administrator. Each has a variant for several documents.
 */

interface WorkflowWrite extends BulkWrite {
  readonly expectedRevision: number | null | undefined;
  readonly at: Path;
  readonly requires: readonly DocumentRequirement[];
  readonly requiresAfterCheck: readonly DocumentRequirement[];
}

type Requires = Pick<WorkflowWrite, 'requires' | 'requiresAfterCheck'>;

type Failure = Conflict | MutationError;

interface Payload {
  readonly documentId: string | null;
}

interface WorkflowMutation<Input extends BulkInput, Change extends Requires> {
  readonly input: InputRef<Input>;
  readonly list: string;
  readonly descriptions: {
    readonly mutation: string;
    readonly input: string;
    readonly nullWhen: string;
    readonly bulkMutation: string;
    readonly bulkInput: string;
    readonly entries: string;
  };
  readonly callsOf: (input: Input) => number;
  readonly maxCallsOf?: (input: Input, forms: DeclaredForms | null) => number;
  readonly deletes?: (input: Input) => boolean;
  readonly check: (check: InputCheck, input: Input, context: GatewayContext) => Change;
  readonly write: (
    write: WorkflowWrite & Change,
    context: GatewayContext,
  ) => Promise<Failure | Payload>;
}

const resultsText =
  'One result per item, in the order of the input. Null, with an error at its path, if the DMS could not be reached or the outcome is unknown. With the code `OUTCOME_UNKNOWN`, `UPSTREAM_ERROR` or `INTERNAL_SERVER_ERROR`, the item may have been executed; with any other code, it was not.';

export function defineWorkflowMutations<Input extends BulkInput, Change extends Requires>(
  name: string,
  bulkName: string,
  {
    input,
    list,
    descriptions,
    callsOf,
    maxCallsOf = callsOf,
    deletes,
    check,
    write,
  }: WorkflowMutation<Input, Change>,
): void {
  const checked = (one: Input, at: Path, context: GatewayContext) =>
    checkInput((inputCheck) => {
      const documentId = inputCheck.id('Document', one.document, ['document']);
      const { expectedRevision } = one;
      const change = check(inputCheck, one, context);
      const reads = [
        requirementsOf({ ...change, expectedRevision }).size,
        change.requiresAfterCheck.length,
      ];
      const calls = 1 + reads.filter((size) => size > 0).length;
      return { documentId, expectedRevision, ...change, calls, at };
    }, at);

  const ResultRef = defineMutation<Input, Payload, Conflict>(name, {
    input,
    descriptions,
    calls: maxCallsOf,
    fields: (t) => ({
      document: t.field({
        type: DocumentRef,
        nullable: true,
        upstreamCalls: true,
        description: `The document after the change. Costs one DMS request. ${descriptions.nullWhen}`,
        resolve: ({ documentId }, _args, context, info) =>
          documentId === null ? null : documentOf(documentId, context, info),
      }),
    }),
    otherErrors: [ConflictErrorRef],
    resolve(given, context) {
      const change = checked(given, [], context);
      return 'failure' in change ? change.failure : write(change.value, context);
    },
  });

  const BulkPayload = builder
    .objectRef<BulkResults<Payload | Failure>>(`${capitalized(bulkName)}Payload`)
    .implement({
      description: `The results of \`${bulkName}\`.`,
      fields: (t) => ({
        results: t.field({
          type: [ResultRef],
          nullable: { list: false, items: true },
          description: resultsText,
          // An Error is a failed item, which Pothos does not know.
          resolve: ({ results }) => results as (Payload | Failure)[],
        }),
      }),
    });
  const BulkInputRef: InputRef<object> = builder.inputType(`${capitalized(bulkName)}Input`, {
    description: descriptions.bulkInput,
    fields: (t) => ({
      [list]: t.field({
        type: [input as InputRef<object>],
        required: true,
        description: `${descriptions.entries}, 1 to ${bounds.bulkItems}.`,
      }),
    }),
  });
  const parse = (args: { readonly input: object }): readonly Input[] => {
    const inputs = (args.input as Record<string, readonly Input[]>)[list]!;
    checkItems(list, inputs);
    return inputs;
  };

  builder.mutationField(bulkName, (t) =>
    t.field({
      type: BulkPayload,
      args: {
        input: t.arg({
          type: BulkInputRef,
          required: true,
          description: `${descriptions.entries}.`,
        }),
      },
      parse,
      limitCost: (inputs: readonly Input[]) => costOfBulk(inputs, callsOf, deletes),
      cost: (inputs: readonly Input[], forms) => ({
        calls: inputs.reduce((total, one) => total + maxCallsOf(one, forms), 0),
        certain: inputs.map(({ document }) => `Document:${ownIdIn(document)}`),
      }),
      description: descriptions.bulkMutation,
      resolve: (_root, args, context, info) =>
        writeAll(
          parsedArgs(parse, args, context, info).map((one, i) => checked(one, [list, i], context)),
          write,
          context,
          info,
        ),
    }),
  );
}

export const expectedRevisionText =
  'Revision that the document must have, from `meta.revision`. If it has another one, nothing is written and the result is `ConflictError`. Best effort: the revision is read just before the write, so two simultaneous writes can both succeed.';

/**
 * Reads the properties that must be known before a write. Costs one upstream call, or none if no property is required.
 * @returns the document, or why nothing is written: it does not exist, or has another revision than expected
 */
export async function readBeforeWrite(
  write: WorkflowWrite,
  { loaders }: GatewayContext,
): Promise<{ readonly document: Document } | { readonly failure: Failure }> {
  const { documentId, expectedRevision, at } = write;
  const requirements = requirementsOf(write);
  if (requirements.size === 0) return { document: { fullId: documentId } };
  loaders.clear(); // an earlier write of the operation may have read an older state
  const document = await loaders.document.load(documentId, requirements);
  if (document === null) return { failure: notFound('The document was not found.') };
  const failure = conflictFor(document, expectedRevision, at);
  return failure === null ? { document } : { failure };
}

export async function readAfterCheck(
  { documentId, requiresAfterCheck }: WorkflowWrite,
  document: Document,
  { loaders }: GatewayContext,
): Promise<Document | null> {
  return requiresAfterCheck.length === 0
    ? document
    : loaders.document.load(documentId, new Set(requiresAfterCheck));
}

function requirementsOf({
  expectedRevision,
  requires,
}: Pick<WorkflowWrite, 'expectedRevision' | 'requires'>): ReadonlySet<DocumentRequirement> {
  const requirements = new Set(requires);
  if (expectedRevision != null) requirements.add('meta');
  return requirements;
}

function conflictFor(
  document: Document,
  expected: number | null | undefined,
  at: Path,
): Failure | null {
  const actual = document.meta?.revision;
  if (expected == null || actual === expected) return null;
  if (actual == null) {
    const message =
      'The DMS does not report the revision of this document. Omit `expectedRevision`.';
    return validationError([{ path: [...at, 'expectedRevision'].map(String), message }]);
  }
  return {
    __typename: 'ConflictError',
    message: `The document has changed: its revision is ${actual}, not ${expected}. Read it again before you retry.`,
    expectedRevision: expected,
    actualRevision: actual,
  };
}
