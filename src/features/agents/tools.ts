import {
  Kind,
  print,
  TokenKind,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { OperationPlan } from '../../schema/plan/operation-plan.ts';
import { planOf } from '../../schema/plan/planner.ts';
import type { LoadedServer } from '../../server/feature.ts';
import type { ManifestEntry } from '../persisted-documents/trusted-documents.ts';
import { dataSchemaOf, inputSchemaOf, type JsonSchema } from './json-schema.ts';

export interface Tool {
  readonly documentId: string;
  readonly isMutation: boolean;
  readonly argumentNames: readonly string[];
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema & { readonly type: 'object' };
    readonly outputSchema: JsonSchema & { readonly type: 'object' };
    readonly annotations: Readonly<Record<string, boolean>>;
  };
}

export interface Tools {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly omitted: readonly { readonly id: string; readonly reason: string }[];
}

export function createTools(
  { schema, parse }: Pick<LoadedServer, 'schema' | 'parse'>,
  entries: readonly ManifestEntry[],
): Tools {
  const tools = new Map<string, Tool>();
  const omitted: { id: string; reason: string }[] = [];
  for (const entry of entries) {
    const tool = createTool(schema, entry, parse(entry.text));
    if (typeof tool === 'string') {
      omitted.push({ id: entry.id, reason: tool });
      continue;
    }
    const { name } = tool.definition;
    if (tools.has(name)) {
      throw new Error(
        `PERSISTED_DOCUMENTS: with MCP=on, only one document with a description can have the operation name "${name}".`,
      );
    }
    tools.set(name, tool);
  }
  return { tools, omitted };
}

/** Returns the tool, or as a text why the document cannot be one. */
function createTool(
  schema: GraphQLSchema,
  entry: ManifestEntry,
  document: DocumentNode,
): Tool | string {
  const [operation, ...others] = document.definitions.filter(
    (one) => one.kind === Kind.OPERATION_DEFINITION,
  );
  if (operation === undefined || others.length > 0) return 'it has several operations';
  const { name, operation: type, variableDefinitions = [] } = operation;
  const description = entry.description ?? operation.description?.value ?? commentAbove(operation);
  if (description.trim() === '') return 'it has no description';
  if (name === undefined) return 'its operation has no name';
  if (type === 'subscription') return 'it is a subscription';
  if (variableDefinitions.some((variable) => /\bUpload\b/.test(print(variable.type)))) {
    return 'it has a variable for files, which agents cannot send';
  }
  const plan = planOf(schema, document, operation);
  if (plan.incremental.size > 0) return 'it has @defer or @stream';
  return {
    documentId: entry.id,
    isMutation: type === 'mutation',
    argumentNames: variableDefinitions.map(({ variable }) => variable.name.value),
    definition: {
      name: name.value,
      description: description.trim(),
      inputSchema: { ...inputSchemaOf(plan), type: 'object' },
      outputSchema: {
        type: 'object',
        properties: {
          data: dataSchemaOf(plan),
          errors: { type: 'array', items: { type: 'object' } },
        },
        required: ['data'],
      },
      annotations: annotationsOf(plan),
    },
  };
}

function commentAbove({ loc }: OperationDefinitionNode): string {
  const lines: string[] = [];
  let token = loc?.startToken;
  while (token?.prev?.kind === TokenKind.COMMENT && token.prev.line === token.line - 1) {
    token = token.prev;
    lines.unshift(token.value.trim());
  }
  return lines.join('\n');
}

function annotationsOf({ operation, fields }: OperationPlan): Readonly<Record<string, boolean>> {
  const isMutation = operation.operation === 'mutation';
  // Reading the response of a document makes the DMS create it.
  const hasSideEffect = [...fields.values()].flat().some(({ hints }) => hints.hasSideEffect);
  return {
    readOnlyHint: !isMutation && !hasSideEffect,
    destructiveHint: isMutation,
    idempotentHint: !isMutation,
    openWorldHint: false,
  };
}
