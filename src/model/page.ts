/** A slice of a list: `first` is the index of the first item, counted from 0; `pageSize` is 1 to 100. */
export interface PageRequest {
  readonly first: number;
  readonly pageSize: number;
}

/** One slice of a list. `totalCount` is null if the DMS does not send it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly totalCount: number | null;
}
