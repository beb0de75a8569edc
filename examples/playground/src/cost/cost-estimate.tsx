import { useGraphiQL } from '@graphiql/react';
import { getOperationAST, type DocumentNode } from 'graphql';
import { useEffect, useState } from 'react';
import { send } from '../fetcher.ts';
import { settings } from '../settings.ts';

export function CostEstimate() {
  const cost = useCost();
  const isRejected = cost !== null && cost !== 'outdated' && 'error' in cost;
  return (
    <output className={isRejected ? 'cost cost-error' : 'cost'} aria-busy={cost === 'outdated'}>
      {textOf(cost)}
    </output>
  );
}

function textOf(cost: ReturnType<typeof useCost>): string {
  if (cost === null) return '';
  if (cost === 'outdated') return 'Cost: …';
  if ('error' in cost) return cost.error;
  const { atLeast, upstreamCalls } = cost;
  const range = atLeast === upstreamCalls ? `${atLeast}` : `${atLeast} to ${upstreamCalls}`;
  return `Cost: ${range} REST ${upstreamCalls === 1 ? 'call' : 'calls'}`;
}

type Cost =
  | { readonly upstreamCalls: number; readonly atLeast: number }
  | { readonly error: string };

interface Estimate {
  readonly operation: string;
  readonly cost: Cost | null;
}

interface CostResponse {
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { code?: string };
  }[];
  readonly extensions?: { readonly cost?: Cost };
}

const pauseMs = 400;

const header = { 'x-cost-only': '1' };

/** Errors that say what to change. The editor itself marks the others. */
const shownCodes = new Set(['BAD_USER_INPUT', 'UPSTREAM_BUDGET_EXCEEDED']);

/**
 * Returns the estimate of the gateway for the operation in the editor, a moment after each change: until then, it is outdated.
 * Null if it is not known, and for a mutation: only its user sends it.
 */
function useCost(): Cost | 'outdated' | null {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const document = useGraphiQL(({ documentAST }) => documentAST);
  const { query, variables, headers, operationName } = tab ?? {};
  const operation = JSON.stringify([query, variables, headers, operationName]);
  const [estimate, setEstimate] = useState<Estimate>({ operation, cost: null });
  useEffect(() => {
    const controller = new AbortController();
    const setCost = (cost: Cost | null): void => setEstimate({ operation, cost });
    const ask = async (): Promise<void> => {
      const isAsked = query && document && canAsk(document, operationName);
      setCost(
        isAsked
          ? await costOf(
              { query, variables, headers, operationName: operationName ?? null },
              controller.signal,
            )
          : null,
      );
    };
    const timer = setTimeout(() => {
      ask().catch(() => {
        if (!controller.signal.aborted) setCost(null);
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, variables, headers, operationName, document, operation]);
  return estimate.cost !== null && estimate.operation !== operation ? 'outdated' : estimate.cost;
}

function canAsk(document: DocumentNode, operationName: string | null | undefined): boolean {
  if (!settings.introspection || settings.persistedOnly) return false;
  const operation = getOperationAST(document, operationName);
  return operation != null && operation.operation !== 'mutation';
}

interface Asked {
  readonly query: string;
  readonly variables: string | null | undefined;
  readonly headers: string | null | undefined;
  readonly operationName: string | null;
}

async function costOf(
  { query, operationName, variables, headers }: Asked,
  signal: AbortSignal,
): Promise<Cost | null> {
  const own = parsed(headers);
  if (!(await isSupported(own))) return null;
  const params = { query, operationName, variables: parsed(variables) };
  const response = await send(params, { ...own, ...header }, signal);
  const { errors: [error] = [], extensions } = (await response.json()) as CostResponse;
  if (extensions?.cost !== undefined) return extensions.cost;
  return error !== undefined && shownCodes.has(error.extensions?.code ?? '')
    ? { error: error.message }
    : null;
}

let supported: Promise<boolean> | null = null;

/**
 * Whether the header reaches the gateway. A proxy that removes it would run each operation that is being written, so this is
 * asked once with an operation that reads nothing.
 */
function isSupported(headers: Readonly<Record<string, string>>): Promise<boolean> {
  supported ??= (async () => {
    const params = { query: '{ __typename }' };
    const response = await send(params, { ...headers, ...header }, AbortSignal.timeout(10_000));
    const { extensions } = (await response.json()) as CostResponse;
    if (extensions?.cost === undefined) supported = null; // such as without credentials
    return extensions?.cost !== undefined;
  })();
  return supported;
}

function parsed(json: string | null | undefined): Record<string, string> {
  return json ? (JSON.parse(json) as Record<string, string>) : {};
}
