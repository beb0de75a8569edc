import type { WriteOutcome } from '../../model/common.ts';
import { builder, plainFields, type ObjectFieldBuilder, type OutputField } from '../builder.ts';

/** A problem with one part of an input. An empty path denotes the whole input. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
}

/** An expected error that every mutation can return. */
export type MutationError =
  | { readonly __typename: 'ValidationError'; message: string; issues: readonly Issue[] }
  | { readonly __typename: 'NotFoundError'; message: string }
  | { readonly __typename: 'NothingChangedError'; message: string }
  | { readonly __typename: 'ForbiddenError'; message: string; requiredRole: string | null };

/** An expected error of a mutation with `expectedRevision`: the document has another revision. */
export interface Conflict {
  readonly __typename: 'ConflictError';
  readonly message: string;
  readonly expectedRevision: number;
  readonly actualRevision: number;
}

type MutationErrorNamed<Name> = Extract<MutationError, { __typename: Name }>;

const message =
  'Explanation of the error, in English unless it comes from the DMS. Programs should use the type instead.';

const ErrorRef = builder.interfaceRef<{ message: string }>('Error').implement({
  description:
    'An expected error of a mutation that the user can act on. All other errors are in `errors`, with `extensions.code`.',
  fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
});

const IssueRef = builder.objectRef<Issue>('ValidationIssue').implement({
  description: 'A problem with one part of an input.',
  fields: (t) => ({
    path: t.stringList({
      description:
        'Path within the input, such as `["values", "0", "tag"]`. Empty if the problem concerns the input as a whole.',
      resolve: ({ path }) => path,
    }),
    message: t.exposeString('message', {
      description: 'Explanation of the problem, in English.',
    }),
  }),
});

const errorType = <Shape extends MutationError | Conflict>(
  name: Shape['__typename'],
  description: string,
  fieldsOf: (t: ObjectFieldBuilder<Shape>) => Record<string, OutputField<unknown>> = () => ({}),
) =>
  builder.objectRef<Shape>(name).implement({
    description,
    interfaces: [ErrorRef] as never, // Pothos cannot resolve the properties of a generic object
    fields: (t) => ({
      message: t.string({ description: message, resolve: (error) => error.message }),
      ...fieldsOf(t),
    }),
  });

const ValidationErrorRef = errorType<MutationErrorNamed<'ValidationError'>>(
  'ValidationError',
  'The input is invalid, and nothing was written. If the gateway rejected it, `issues` lists the problems. If the DMS rejected it, `message` is the reason that the DMS gave.',
  (t) => ({
    issues: t.field({
      type: [IssueRef],
      description:
        'Problems that the gateway found, at most 100. Empty if the DMS rejected the input.',
      resolve: ({ issues }) => issues,
    }),
  }),
);

const NotFoundErrorRef = errorType<MutationErrorNamed<'NotFoundError'>>(
  'NotFoundError',
  'An object that the input refers to does not exist or is not visible to the user.',
);

const ForbiddenErrorRef = errorType<MutationErrorNamed<'ForbiddenError'>>(
  'ForbiddenError',
  'The DMS does not allow the user to do this.',
  (t) =>
    plainFields(t, 'String', {
      requiredRole: 'DMS role that is required, such as `elAdminCrmRW`. Null if it is not known.',
    }),
);

const NothingChangedErrorRef = errorType<MutationErrorNamed<'NothingChangedError'>>(
  'NothingChangedError',
  'The DMS processed the request but changed nothing.',
);

/** The object type of `Conflict`, for the result unions of mutations with `expectedRevision`. */
export const ConflictErrorRef = errorType<Conflict>(
  'ConflictError',
  'The document has another revision than `expectedRevision`: it was changed after it was read. Read it again before you retry.',
  (t) => ({
    expectedRevision: t.exposeInt('expectedRevision', {
      description: 'Revision that the input expected.',
    }),
    actualRevision: t.exposeInt('actualRevision', {
      description: 'Current revision of the document.',
    }),
  }),
);

/** The object types of `MutationError`, for the result union of every mutation. */
export const mutationErrorRefs = [
  ValidationErrorRef,
  NotFoundErrorRef,
  ForbiddenErrorRef,
  NothingChangedErrorRef,
] as const;

/** Resolves the type of a member of a result union. */
export const typeNameOf = (result: { readonly __typename: string }): string => result.__typename;

/** An error with at least one issue. The message is that of the first issue and the number of others. */
export function validationError(issues: readonly Issue[]): MutationError {
  const [first, ...more] = issues;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return { __typename: 'ValidationError', message: `${first!.message}${rest}`, issues };
}

/** An error for an object that does not exist, with a message for the user. */
export function notFound(text: string): MutationError {
  return { __typename: 'NotFoundError', message: text };
}

export function mutationErrorFrom(
  write: Exclude<WriteOutcome<unknown>, { outcome: 'done' }>,
  what: string,
): MutationError {
  switch (write.outcome) {
    case 'nothingChanged':
      return {
        __typename: 'NothingChangedError',
        message:
          write.message ??
          `${what} was not changed. The DMS processed the request but updated nothing.`,
      };
    case 'notFound':
      return notFound(write.message ?? `${what} was not found.`);
    case 'forbidden': {
      const { requiredRole } = write;
      const role = requiredRole === null ? '' : ` The role ${requiredRole} is required.`;
      return {
        __typename: 'ForbiddenError',
        message: write.message ?? `You are not allowed to do this.${role}`,
        requiredRole,
      };
    }
    case 'rejected':
      return { __typename: 'ValidationError', message: write.message, issues: [] };
  }
}
