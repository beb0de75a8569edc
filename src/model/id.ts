const FULL_ID = /^[\da-f]{24}$/i;

const MAX_ID_LENGTH = 256;
// Separators of a path, control characters, and an escape that a server which decodes twice would undo.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[/\\\u0000-\u001f\u007f-\u009f]|%[\da-f]{2}/i;

/** `isValidId` in words, for messages: "must be …". */
export const ID_RULE =
  'an ID of 1 to 256 characters without slashes, backslashes, control characters and percent escapes such as %2F';

/** Whether an id is a full id, 24 hexadecimal characters; anything else is a short, system, external or government id. */
export function isFullId(id: string): boolean {
  return FULL_ID.test(id);
}

/**
 * Whether a text may go to the DMS as an id. The only check of its kind: the schema and the REST client both use it.
 *
 * External and government ids are free text of other systems, so every script, space and sign is allowed and gets
 * percent-encoded. Refused is what could lead to another path even when encoded: `/`, `\`, `.`, `..`, control
 * characters and percent escapes; what no URL can hold (half a surrogate pair); and what is empty, blank or longer than
 * 256 UTF-16 units.
 */
export function isValidId(id: string): boolean {
  return (
    id.length <= MAX_ID_LENGTH &&
    id !== '.' &&
    id !== '..' &&
    id.trim() !== '' &&
    !UNSAFE.test(id) &&
    id.isWellFormed()
  );
}
