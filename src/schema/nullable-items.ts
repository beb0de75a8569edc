/**
 * The items of a list that are read one by one. One that fails becomes an error as a value, which GraphQL
 * turns into a hole and an error at that place; as a rejection, the compiled execution would lose the place.
 */
export function withNullableItems<T>(items: readonly (Promise<T> | T)[]): (Promise<T> | T)[] {
  return items.map((item) =>
    item instanceof Promise ? item.catch((error: unknown) => error as T) : item,
  );
}
