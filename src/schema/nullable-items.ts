/**
 * Converts rejected items of a list to error values, which GraphQL turns into null and an error with the path of the
 * item. With a rejection, the compiled execution would lose the path.
 */
export function withNullableItems<T>(items: readonly (Promise<T> | T)[]): (Promise<T> | T)[] {
  return items.map((item) =>
    item instanceof Promise ? item.catch((error: unknown) => error as T) : item,
  );
}
