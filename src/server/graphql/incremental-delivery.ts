import { GraphQLError, type ExecutionArgs } from 'graphql';
import { createDocumentPages } from '../../context.ts';
import { badInput } from '../../schema/graphql-error.ts';
import { IncrementalOperation } from '../../schema/incremental/execution.ts';
import { incrementalSchemaOf } from '../../schema/incremental/incremental-schema.ts';
import { initialCountOf, isDeferred } from '../../schema/plan/directives.ts';
import { inlinedPlanOf, type OperationPlan } from '../../schema/plan/operation-plan.ts';
import { markIncremental } from '../../schema/plan/requirements.ts';
import { acceptableFor } from '../http/accept-header.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { partsNotAccepted } from './parts-not-accepted.ts';

/**
 * Prepares an operation whose result may be sent in parts: sets `incremental` of the exchange if `@defer` or `@stream`
 * is active. Requires valid variables and a complete context. Costs one look-up for an operation that has neither.
 *
 * @param isProjected whether reads request only the selected properties (`DMS_PROJECTION`)
 * @returns the errors that reject the operation: `BAD_USER_INPUT`. Empty if it can be executed
 * @throws {HttpError} 406 if the client accepts no parts
 */
export function prepareIncremental(
  plan: OperationPlan,
  exchange: HttpExchange,
  isProjected: boolean,
): readonly GraphQLError[] {
  if (plan.incremental.size === 0) return [];
  const { coercedVariables: coerced } = exchange;
  const nodes = [...plan.incremental];
  let counts: readonly number[];
  try {
    counts = nodes.map((node) => initialCountOf(node, coerced)).filter((count) => count !== null);
    if (counts.length === 0 && !nodes.some((node) => isDeferred(node, coerced))) return [];
  } catch (error) {
    // Null for a variable of a selection that is skipped. In any other place, it was rejected before.
    if (error instanceof GraphQLError) return [badInput(error.message)];
    throw error;
  }
  const { operation } = plan.operation;
  if (operation !== 'query') {
    return [badInput(`\`@defer\` and \`@stream\` are for queries, not for a ${operation}.`)];
  }
  const negative = counts.find((count) => count < 0);
  if (negative !== undefined) {
    return [badInput(`\`initialCount\` of \`@stream\` must be 0 or more, not ${negative}.`)];
  }
  if (!acceptableFor(exchange.req.headers.accept).parts) throw partsNotAccepted();
  const inlined = inlinedPlanOf(plan);
  markIncremental(inlined, isProjected);
  const pages = createDocumentPages(exchange);
  exchange.incremental = new IncrementalOperation(
    inlined,
    coerced,
    pages,
    () => exchange.res.closed,
  );
  return [];
}

/** Returns the arguments with which an operation is executed: other ones if its result is sent in parts. */
export function incrementalArgs(args: ExecutionArgs): ExecutionArgs {
  const { incremental }: HttpExchange = args.contextValue as never;
  if (!(incremental instanceof IncrementalOperation)) return args;
  return {
    ...args,
    schema: incrementalSchemaOf(args.schema),
    document: incremental.document,
  };
}
