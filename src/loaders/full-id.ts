const FULL_ID = /^[\da-f]{24}$/i;

/** Whether an id is a full id; anything else is a short id. */
export function isFullId(id: string): boolean {
  return FULL_ID.test(id);
}
