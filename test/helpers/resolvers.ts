import {
  execute,
  getOperationAST,
  getVariableValues,
  parse,
  validate,
  type ExecutionArgs,
  type ExecutionResult,
  type OperationDefinitionNode,
} from 'graphql';
import { createContext } from '../../src/context.ts';
import type { Caller } from '../../src/rest/client/caller.ts';
import type { HttpClientOptions } from '../../src/rest/client/http-client.ts';
import { schema } from '../../src/schema/index.ts';
import { createOperationCompiler } from '../../src/server/graphql/compiled-operations.ts';
import { precheckOperation } from '../../src/server/graphql/limits/precheck.ts';
import { compileAfter } from './execution-mode.ts';
import { createMockDms, testCaller, testHttp, testBudget, type MockDms } from './mock-dms.ts';

export interface Resolvers {
  readonly dms: MockDms;
  /** Executes an operation with a mocked REST service. Each call is a separate request with its own loaders. */
  readonly run: (
    document: string,
    variables?: Record<string, unknown>,
  ) => Promise<ExecutionResult<Record<string, unknown>> & { codes: unknown[] }>;
}

interface ResolverOptions {
  readonly http?: Partial<HttpClientOptions>;
  readonly caller?: Partial<Caller>;
  readonly languages?: readonly string[];
}

/** The schema with a mocked REST service, without the server. */
export function createResolvers(options: ResolverOptions = {}): Resolvers {
  const dms = createMockDms();
  const http = testHttp(dms, options.http);
  return {
    dms,
    async run(text, variableValues = {}) {
      const document = parse(text);
      const wrong = validate(schema, document);
      if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('\n'));
      const operation = getOperationAST(document)!;
      const definitions = operation.variableDefinitions ?? [];
      const { coerced, errors: unfit } = getVariableValues(schema, definitions, variableValues);
      const limit = { calls: 500, setting: 'MAX_UPSTREAM_CALLS' } as const;
      const refused =
        unfit ?? precheckOperation(schema, document, operation, coerced, limit).errors;
      const result =
        refused.length > 0
          ? { errors: refused }
          : await executeEitherWay(operation, {
              schema,
              document,
              variableValues,
              contextValue: createContext(http, testCaller(options.caller), testBudget(), {
                languages: options.languages ?? [],
                fileUrl: (segments) => `http://gateway.test/files/${segments.join('/')}`,
              }),
            });
      // Results have null prototypes. Assertions on plain objects are easier to read.
      const plain = JSON.parse(JSON.stringify({ data: result.data ?? null })) as { data: never };
      const codes = (result.errors ?? []).map(codeOf);
      return { ...result, ...plain, codes };
    },
  };
}

const findCompiled = createOperationCompiler(compileAfter);

/** Executes compiled operations in compiled mode, otherwise with graphql-js. */
function executeEitherWay(operation: OperationDefinitionNode, args: ExecutionArgs) {
  return (findCompiled(args, operation) ?? execute)(args);
}

function codeOf({
  extensions,
  originalError,
  message,
}: NonNullable<ExecutionResult['errors']>[number]) {
  if (typeof extensions['code'] === 'string') return extensions['code'];
  if (originalError && 'code' in originalError) return originalError.code;
  return message;
}
