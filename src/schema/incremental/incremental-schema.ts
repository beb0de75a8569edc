import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { GatewayContext, IncrementalExecution } from '../../context.ts';
import type { FieldHints } from '../plan/field-hints.ts';
import { completeSource } from './complete-source.ts';
import { mapSchema, MapperKind } from '../graphql-tools.ts';

type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;

const variants = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * Returns the schema for operations with `@defer` or `@stream`, whose fields are resolved when their part is executed.
 * All other operations use the given schema. Created once per schema, by the first such operation.
 */
export function incrementalSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  let variant = variants.get(schema);
  if (variant === undefined) {
    variant = mapSchema(schema, {
      [MapperKind.OBJECT_FIELD]: (field) => {
        const { pothosOptions }: { pothosOptions?: FieldHints } = field.extensions ?? {};
        const resolve = field.resolve ?? defaultFieldResolver;
        return { ...field, resolve: orderedResolver(resolve, pothosOptions?.keyOnly === true) };
      },
    });
    variants.set(schema, variant);
  }
  return variant;
}

function orderedResolver(resolve: Resolve, isKeyOnly: boolean): Resolve {
  return (source, args, context, info) => {
    const { incremental, loaders } = context;
    if (incremental === null) return resolve(source, args, context, info);
    const run = (complete: unknown): unknown =>
      countParts(resolve(complete, args, context, info), incremental, info);
    return incremental.resolveInOrder(source, info, (isDeferred) => {
      if (!isDeferred) return run(source);
      const complete = completeSource(
        source,
        { pages: incremental.pages, loaders },
        info,
        isKeyOnly,
      );
      return complete instanceof Promise ? complete.then(run) : run(complete);
    });
  };
}

/** Returns the value of a field. Counts the later parts of a list before the executor creates them. */
function countParts(
  value: unknown,
  incremental: IncrementalExecution,
  info: Parameters<Resolve>[3],
): unknown {
  if (value instanceof Promise) {
    return value.then((settled) => countParts(settled, incremental, info));
  }
  if (Array.isArray(value)) incremental.countParts(value.length, info);
  return value;
}
