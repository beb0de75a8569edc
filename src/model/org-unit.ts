export interface OrgUnit {
  /** System id (`unit…`) or external id. */
  readonly systemId: string;
  readonly name: string | null;
  /** System id of the person who leads the unit. */
  readonly headId: string | null;
  /** System ids of persons. */
  readonly memberIds: readonly string[];
}

/** What a caller sets; what is left out stays as it is. */
export interface OrgUnitChange {
  readonly systemId?: string;
  readonly name?: string;
  readonly headId?: string;
  readonly memberIds?: readonly string[];
}
