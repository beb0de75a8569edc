interface Settings {
  /** Whether clients can read the schema and the cost of an operation (`INTROSPECTION`). */
  readonly introspection: boolean;
  /** Whether the gateway rejects every query that is written here (`PERSISTED_ONLY`). */
  readonly persistedOnly: boolean;
  /** Whether the people of the sandbox can sign in. */
  readonly hasPeople: boolean;
  /** Whether the inbox is served at /. */
  readonly hasInbox: boolean;
}

export const settings = JSON.parse(document.querySelector('#settings')!.textContent) as Settings;
