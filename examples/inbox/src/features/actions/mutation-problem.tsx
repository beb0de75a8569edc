import { useEffect, useRef, type ReactNode } from 'react';
import { ExplanationText } from '../../components/explanation.tsx';
import { IssueText } from '../../components/gateway-text.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { explainMutation, explainMutationError } from './explain-mutation.ts';

const mutationProblemFragment = graphql(`
  fragment MutationProblem on Error {
    __typename
    message
    ... on ConflictError {
      actualRevision
    }
    ... on ForbiddenError {
      requiredRole
    }
    ... on ValidationError {
      issues {
        path
        message
      }
    }
  }
`);

export type Problem = FragmentType<typeof mutationProblemFragment>;

export interface MutationFailure {
  readonly problem: Problem | null;
  readonly error: Error | undefined;
}

export function MutationReason({ problem, error }: MutationFailure) {
  const t = useText();
  const known = useFragment(mutationProblemFragment, problem);
  if (known) return <ExplanationText {...explainMutationError(known, t)} />;
  return error && <ExplanationText {...explainMutation(error, t)} />;
}

export type Issues = ReadonlyMap<string, string>;

/** Returns the issues of a problem. Empty for a problem that is not a validation error. */
export function useIssues(problem: Problem | null): Issues {
  const known = useFragment(mutationProblemFragment, problem);
  if (known?.__typename !== 'ValidationError') return new Map();
  return new Map(known.issues.map(({ path, message }) => [path.join('.'), message]));
}

export function useIsNotFound(problem: Problem | null): boolean {
  return useFragment(mutationProblemFragment, problem)?.__typename === 'NotFoundError';
}

interface MutationProblemProps extends MutationFailure {
  readonly shownPaths: readonly string[];
  readonly shownRevision?: number | null;
  /** Whether there are entries that can be sent again. */
  readonly hasEntries?: boolean;
  /** Reads the document again. The form keeps what was entered. Undefined for a new document. */
  readonly onReload?: () => Promise<void>;
}

export function MutationProblem(props: MutationProblemProps) {
  const { problem, error, shownPaths, onReload } = props;
  const t = useText();
  const known = useFragment(mutationProblemFragment, problem);
  const issues = useIssues(problem);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem || error) notice.current?.focus();
  }, [problem, error]);
  if (known?.__typename === 'ConflictError') return <Conflict {...props} {...known} />;
  if (!known && !error) return null;
  const others = [...issues].filter(([path]) => !shownPaths.some((shown) => isAt(path, shown)));
  return (
    <div ref={notice} tabIndex={-1} role="alert" className="notice notice-error stack-small">
      <p>
        {/* The message of a validation error contains its first issue. */}
        {known && issues.size > 0 ? (
          t('The request was rejected.')
        ) : (
          <MutationReason problem={problem} error={error} />
        )}
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(([path, message]) => (
            <li key={path}>
              <IssueText text={message} />
            </li>
          ))}
        </ul>
      )}
      {onReload && error && <ReloadButton onReload={onReload} />}
    </div>
  );
}

interface ConflictProps extends Pick<
  MutationProblemProps,
  'problem' | 'shownRevision' | 'hasEntries' | 'onReload'
> {
  readonly actualRevision: number;
}

/** A conflict, until the user sees the version that was unknown to them. */
function Conflict(props: ConflictProps) {
  const { problem, shownRevision, hasEntries, onReload, actualRevision } = props;
  const t = useText();
  const notice = useRef<HTMLDivElement>(null);
  const isCurrent = (shownRevision ?? 0) >= actualRevision;
  useEffect(() => {
    if (problem || isCurrent) notice.current?.focus();
  }, [problem, isCurrent]);
  return (
    <div
      ref={notice}
      tabIndex={-1}
      role="alert"
      className={`notice stack-small ${isCurrent ? 'notice-info' : 'notice-warning'}`}
    >
      <p>
        {isCurrent ? (
          t('You see the current version now.')
        ) : (
          <MutationReason problem={problem} error={undefined} />
        )}{' '}
        {isCurrent && hasEntries && t('Check your entries, and send them again.')}
      </p>
      {onReload && !isCurrent && <ReloadButton onReload={onReload} />}
    </div>
  );
}

function ReloadButton({ onReload }: { readonly onReload: () => Promise<void> }) {
  const t = useText();
  return (
    <div>
      <button type="button" className="button" onClick={() => void onReload()}>
        {t('Show the current version')}
      </button>
    </div>
  );
}

export function issueAt(issues: Issues, field: string): ReactNode {
  const message = [...issues].find(([path]) => isAt(path, field))?.[1];
  return message && <IssueText text={message} />;
}

function isAt(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
