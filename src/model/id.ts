const FULL_ID = /^[\da-f]{24}$/i;

const MAX_ID_LENGTH = 256;
// Path separators, control characters, and percent escapes, which a server that decodes twice would decode.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[/\\\u0000-\u001f\u007f-\u009f]|%[\da-f]{2}/i;

/** The rule of `isValidId` for messages, after "must be". */
export const ID_RULE =
  'an ID of 1 to 256 characters without slashes, backslashes, control characters and percent escapes such as %2F';

/**
 * Whether an ID is a full ID (24 hexadecimal characters). Every other ID is a short, system, external or government ID.
 */
export function isFullId(id: string): boolean {
  return FULL_ID.test(id);
}

/**
 * Whether a text can be sent to the DMS as an ID. The schema and the REST client share this check.
 *
 * External and government IDs are free text of other systems, so every script, space and punctuation mark is allowed
 * and percent-encoded. Rejected are: characters and names that could lead to another path even when encoded (`/`, `\`,
 * `.`, `..`, control characters, percent escapes), text that a URL cannot contain (an unpaired surrogate), and text
 * that is empty, blank or longer than 256 UTF-16 units.
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
