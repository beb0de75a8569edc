/** An organizational unit, such as a department. REST spec, OrgUnit. */
export interface OrgUnit {
  readonly systemId: string;
  readonly name: string | null;
  readonly headId: string | null;
  readonly memberIds: readonly string[];
}

export interface OrgUnitChange {
  readonly systemId?: string;
  readonly name?: string;
  readonly headId?: string;
  readonly memberIds?: readonly string[];
}
