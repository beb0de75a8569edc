/** An organizational unit, such as a department. REST spec, OrgUnit. */
export interface OrgUnit {
  /** System ID (`unit…`) or external ID. */
  readonly systemId: string;
  readonly name: string | null;
  /** System ID of the person who leads the unit. */
  readonly headId: string | null;
  /** System IDs of persons. */
  readonly memberIds: readonly string[];
}

export interface OrgUnitChange {
  readonly systemId?: string;
  readonly name?: string;
  readonly headId?: string;
  readonly memberIds?: readonly string[];
}
