import type { WriteOutcome } from '../../model/write-outcome.ts';
import { builder } from '../builder.ts';

/*
 * What a mutation answers when it did not do what was asked, and the person who asked can act on it.
 * Everything else is a top-level error with a code.
 */

export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
}

export type MutationError =
  | { readonly __typename: 'ValidationError'; message: string; issues: readonly Issue[] }
  | { readonly __typename: 'NotFoundError'; message: string }
  | { readonly __typename: 'NothingChangedError'; message: string }
  | { readonly __typename: 'ForbiddenError'; message: string; requiredRole: string | null };

export interface Conflict {
  readonly __typename: 'ConflictError';
  readonly message: string;
  readonly expectedRevision: number;
  readonly actualRevision: number;
}

type MutationErrorNamed<Name> = Extract<MutationError, { __typename: Name }>;

const message = 'What happened, in a sentence for the person who asked.';

const ErrorRef = builder.interfaceRef<{ message: string }>('Error').implement({
  description: 'An error that the person who asked can act on.',
  fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
});

const IssueRef = builder.objectRef<Issue>('ValidationIssue').implement({
  description: 'One thing that is wrong with an input.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Where in the input, such as `["values", "0", "tag"]`.',
      resolve: ({ path }) => path,
    }),
    message: t.exposeString('message', { description: 'What is wrong there.' }),
  }),
});

const ValidationErrorRef = builder
  .objectRef<MutationErrorNamed<'ValidationError'>>('ValidationError')
  .implement({
    description:
      'The input is not valid. Either the gateway saw it before anything was sent (then `issues` says where), or the DMS refused it (then `message` is its reason).',
    interfaces: [ErrorRef],
    fields: (t) => ({
      message: t.exposeString('message', { description: message }),
      issues: t.field({
        type: [IssueRef],
        description:
          'What the gateway found wrong, at most 100 findings; empty where the DMS refused.',
        resolve: ({ issues }) => issues,
      }),
    }),
  });

const NotFoundErrorRef = builder
  .objectRef<MutationErrorNamed<'NotFoundError'>>('NotFoundError')
  .implement({
    description: 'What the mutation names is not there, or not for this user.',
    interfaces: [ErrorRef],
    fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
  });

const ForbiddenErrorRef = builder
  .objectRef<MutationErrorNamed<'ForbiddenError'>>('ForbiddenError')
  .implement({
    description: 'The DMS refused: the user may not do this.',
    interfaces: [ErrorRef],
    fields: (t) => ({
      message: t.exposeString('message', { description: message }),
      requiredRole: t.exposeString('requiredRole', {
        nullable: true,
        description: 'The role that the DMS asks for; null where it is not known.',
      }),
    }),
  });

const NothingChangedErrorRef = builder
  .objectRef<MutationErrorNamed<'NothingChangedError'>>('NothingChangedError')
  .implement({
    description: 'The DMS executed the request, and nothing changed.',
    interfaces: [ErrorRef],
    fields: (t) => ({ message: t.exposeString('message', { description: message }) }),
  });

export const ConflictErrorRef = builder.objectRef<Conflict>('ConflictError').implement({
  description: 'The document’s revision is no longer the expected one: somebody was faster.',
  interfaces: [ErrorRef],
  fields: (t) => ({
    message: t.exposeString('message', { description: message }),
    expectedRevision: t.exposeInt('expectedRevision', {
      description: 'The revision that the caller expected.',
    }),
    actualRevision: t.exposeInt('actualRevision', {
      description: 'The revision that the document has.',
    }),
  }),
});

/** The failures that every mutation can have. */
export const mutationErrorRefs = [
  ValidationErrorRef,
  NotFoundErrorRef,
  ForbiddenErrorRef,
  NothingChangedErrorRef,
] as const;

export const typeNameOf = (result: { readonly __typename: string }): string => result.__typename;

export function validationError(issues: readonly Issue[]): MutationError {
  const [first, ...more] = issues;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return { __typename: 'ValidationError', message: `${first!.message}${rest}`, issues };
}

export function notFound(text: string): MutationError {
  return { __typename: 'NotFoundError', message: text };
}

/** The error for a write that was not done. `what` names the written object as the beginning of a sentence. */
export function mutationErrorFrom(
  write: Exclude<WriteOutcome<unknown>, { outcome: 'done' }>,
  what: string,
): MutationError {
  switch (write.outcome) {
    case 'nothingChanged':
      return {
        __typename: 'NothingChangedError',
        message: `${what} did not change: the DMS found nothing to do.`,
      };
    case 'notFound':
      return notFound(`${what} was not found.`);
    case 'forbidden': {
      const { requiredRole } = write;
      const role = requiredRole === null ? '' : ` The role ${requiredRole} is needed.`;
      return { __typename: 'ForbiddenError', message: `You may not do this.${role}`, requiredRole };
    }
    case 'rejected':
      return { __typename: 'ValidationError', message: write.message, issues: [] };
  }
}
