/**
 * The items of a list that are read one by one. One that fails becomes an error as a value, which GraphQL
 * turns into null and an error with its path; from a rejection, the compiled execution would lose the path.
 */
export function withNullableItems<T>(items: readonly (Promise<T> | T)[]): (Promise<T> | T)[] {
  return items.map((item) =>
    item instanceof Promise ? item.catch((error: unknown) => error as T) : item,
  );
}
