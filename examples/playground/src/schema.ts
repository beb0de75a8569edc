import { buildSchema, type GraphQLSchema } from 'graphql';
import { createStore, useStore } from '../../ui/store.ts';
import { settings } from './settings.ts';

/** The schema of the gateway. Null until it has been read, and if it cannot be. */
const schema = createStore<GraphQLSchema | null>(null);

export function useSchema(): GraphQLSchema | null {
  return useStore(schema);
}

let loading: Promise<void> | null = null;

/**
 * Reads the schema, unless it is known. Browsers keep it, and only ask whether it has changed. A gateway that identifies
 * its users answers only with their headers: the first operation with valid ones reads it.
 */
export function loadSchema(headers: Readonly<Record<string, string>>): Promise<void> {
  if (!settings.introspection || settings.persistedOnly) return Promise.resolve();
  if (schema.get() !== null) return Promise.resolve();
  loading ??= readSchema(headers).finally(() => (loading = null));
  return loading;
}

async function readSchema(headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch('schema.graphql', { headers });
  if (response.ok) schema.set(buildSchema(await response.text()));
}
