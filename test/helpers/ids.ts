/** The nth full ID. */
export const idOf = (n: number): string => `5f${n.toString(16).padStart(22, '0')}`;

/** A Relay global ID, as clients know it. */
export const globalId = (type: string, id: string): string =>
  Buffer.from(`${type}:${id}`).toString('base64');
