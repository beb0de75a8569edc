import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';

/**
 * Converts rejected items of a list to error values, which GraphQL turns into null and an error with the path of the
 * item. With a rejection, the compiled execution would lose the path.
 */
function withNullableItems<T>(items: readonly (Promise<T> | T)[]): (Promise<T> | T)[] {
  return items.map((item) =>
    item instanceof Promise ? item.catch((error: unknown) => error as T) : item,
  );
}

/**
 * The items of a list field that are read one by one, as `withNullableItems` has them. If the field is streamed, those
 * that are not in the first part are read after it.
 */
export function readItems<Key, T>(
  keys: readonly Key[],
  read: (key: Key) => Promise<T> | T,
  { incremental }: GatewayContext,
  info: GraphQLResolveInfo,
): (Promise<T> | T)[] {
  if (incremental === null) return withNullableItems(keys.map(read));
  const initialCount = incremental.initialCount(info);
  return withNullableItems(
    keys.map((key, index) =>
      index < initialCount ? read(key) : incremental.firstPart.then(() => read(key)),
    ),
  );
}
