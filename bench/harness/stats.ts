/** The value below which the fraction `q` of the sorted values lies. NaN for an empty list. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** The median. The mean of the middle two values for an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The median of the ratios within each round. Within a round, a slow machine affects both sides. */
export function ratioWithinRounds<T extends { readonly round: number }>(
  own: readonly T[],
  other: readonly T[],
  figure: (each: T) => number,
): number {
  return median(
    own.flatMap((each) => {
      const beside = other.find(({ round }) => round === each.round);
      return beside === undefined ? [] : [figure(each) / figure(beside)];
    }),
  );
}
