import { createRequire } from 'node:module';
import type * as DeferStream from '@graphql-yoga/plugin-defer-stream';
import {
  getOperationAST,
  type GraphQLError,
  type ExecutionArgs,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { badInput, isGraphQLError } from '../../schema/graphql-error.ts';
import { initialCountOf, isDeferred } from '../../schema/plan/directives.ts';
import type { OperationPlan } from '../../schema/plan/operation-plan.ts';
import { planOf } from '../../schema/plan/planner.ts';
import { QueryDocument } from '../../schema/plan/query-document.ts';
import { acceptableFor, partsNotAccepted } from '../../server/graphql/negotiation.ts';
import type { AcceptedContext, OperationContext } from '../../server/graphql/operation.ts';
import { DocumentPages } from './document-pages.ts';
import { IncrementalOperation } from './incremental-operation.ts';
import { incrementalPlanOf } from './incremental-plan.ts';
import { incrementalSchemaOf } from './incremental-schema.ts';

// As CommonJS, as Yoga is loaded.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { useDeferStream } = createRequire(import.meta.url)(
  '@graphql-yoga/plugin-defer-stream',
) as typeof DeferStream;
const { onValidate: addRules } = useDeferStream();

export function useIncremental(isProjected: boolean): Plugin<AcceptedContext, OperationContext> {
  return {
    onValidate({ params, addValidationRule }) {
      const { sizes } = QueryDocument.of(params.documentAST);
      if (!sizes.values().some(({ incremental }) => incremental > 0)) return; // nearly all need no further rules
      const rules: ValidationRule[] = params.rules ?? [];
      // One of them replaces a rule of graphql-js that has its name.
      const replaceRule = (rule: ValidationRule): void => {
        const at = rules.findIndex(({ name }) => name === rule.name);
        if (at === -1) addValidationRule(rule);
        else rules[at] = rule;
      };
      addRules?.({ params: { rules }, addValidationRule: replaceRule } as never);
    },
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const context: AcceptedContext = args.contextValue;
      const errors = prepare(context.operation.plan, context, isProjected);
      if (errors.length > 0) setResultAndStopExecution({ errors });
      else if (context.incremental !== null) {
        setExecuteFn((given: ExecutionArgs) => executeFn(executedArgs(given, isProjected)));
      }
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const context: AcceptedContext = args.contextValue;
      const errors = prepare(context.operation.plan, context, isProjected);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}

function prepare(
  plan: OperationPlan,
  context: AcceptedContext,
  isProjected: boolean,
): readonly GraphQLError[] {
  if (plan.incremental.size === 0) return [];
  const { http, variables: coerced } = context.operation;
  const nodes = [...plan.incremental];
  let counts: readonly number[];
  try {
    counts = nodes.map((node) => initialCountOf(node, coerced)).filter((count) => count !== null);
    if (counts.length === 0 && !nodes.some((node) => isDeferred(node, coerced))) return [];
  } catch (error) {
    // Null for a variable of a selection that is skipped. In any other place, it was rejected before.
    if (isGraphQLError(error)) return [badInput(error.message)];
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
  const { parts } = acceptableFor(http.req.headers.accept);
  if (parts.length === 0) throw partsNotAccepted();
  const inlined = incrementalPlanOf(plan, isProjected);
  const pages = new DocumentPages(context.loaders.document);
  const hasEnded = (): boolean => http.res.closed;
  context.incremental = new IncrementalOperation(inlined, coerced, pages, hasEnded);
  return [];
}

function executedArgs(args: ExecutionArgs, isProjected: boolean): ExecutionArgs {
  const { schema, document, operationName } = args;
  const context: AcceptedContext = args.contextValue as never;
  const operation = getOperationAST(document, operationName);
  if (operation != null && operation !== context.operation.plan.operation) {
    context.incremental = null;
    prepare(planOf(schema, document, operation), context, isProjected);
  }
  const { incremental } = context;
  if (!(incremental instanceof IncrementalOperation)) return args;
  return { ...args, schema: incrementalSchemaOf(schema), document: incremental.document };
}
