/** A field that a form defines. */
export interface FieldDefinition {
  readonly tag: string;
  readonly label: string;
  /** Type of the DMS, such as `crmOrg`. Empty if it is unknown. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The usual columns of a table. */
  readonly columns?: readonly string[] | undefined;
}
