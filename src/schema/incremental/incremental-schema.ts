import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { GatewayContext, IncrementalExecution } from '../../context.ts';
import type { FieldHints } from '../selection/field-hints.ts';
import { completeSource } from './complete-source.ts';
import { mapSchema, MapperKind } from '../graphql-tools.ts';

type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;

const variants = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * The same schema for operations with `@defer` or `@stream`: every field waits for its turn. All other operations run on
 * the schema itself, whose fields know nothing of this. Made once for each schema, at the first such operation.
 */
export function incrementalSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  let variant = variants.get(schema);
  if (variant === undefined) {
    variant = mapSchema(schema, {
      [MapperKind.OBJECT_FIELD]: (field) => {
        const { pothosOptions }: { pothosOptions?: FieldHints } = field.extensions ?? {};
        const resolve = field.resolve ?? defaultFieldResolver;
        return { ...field, resolve: inTurn(resolve, pothosOptions?.keyOnly === true) };
      },
    });
    variants.set(schema, variant);
  }
  return variant;
}

function inTurn(resolve: Resolve, isKeyOnly: boolean): Resolve {
  return (source, args, context, info) => {
    const { incremental, loaders } = context;
    if (incremental === null) return resolve(source, args, context, info);
    const run = (whole: unknown): unknown =>
      counted(resolve(whole, args, context, info), incremental, info);
    return incremental.resolveInTurn(source, info, (isDeferred) => {
      if (!isDeferred) return run(source);
      const whole = completeSource(source, { pages: incremental.pages, loaders }, info, isKeyOnly);
      return whole instanceof Promise ? whole.then(run) : run(whole);
    });
  };
}

/** The value of a field; that of a list with its later parts counted, before the executor makes them. */
function counted(
  value: unknown,
  incremental: IncrementalExecution,
  info: Parameters<Resolve>[3],
): unknown {
  if (value instanceof Promise) return value.then((settled) => counted(settled, incremental, info));
  if (Array.isArray(value)) incremental.countParts(value.length, info);
  return value;
}
