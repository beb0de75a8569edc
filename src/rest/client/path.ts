import { isValidId } from '../../model/id.ts';
import { RestError } from './rest-error.ts';

/**
 * An id as one segment of a path, percent-encoded.
 *
 * @throws {RestError} `BAD_USER_INPUT` for what `isValidId` refuses: the gateway does not trust that the DMS decodes a
 * path as it would.
 */
export function pathSegment(id: string): string {
  if (!isValidId(id)) throw new RestError('BAD_USER_INPUT', 'none', { expected: 'a valid ID' });
  return encodeURIComponent(id);
}

/**
 * Parameters as a query, with its `?`; those that are undefined are left out. Lists are joined with commas, which
 * is how the DMS separates them.
 * @throws {RestError} `BAD_USER_INPUT` for a list with a comma or a control character in a member
 */
export function queryString(
  parameters: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const text = typeof value === 'object' ? joinList(value, ',') : encodeText(String(value));
    parts.push(`${name}=${text}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Members of a list, each encoded, with the separator as it is. @throws {RestError} `BAD_USER_INPUT` */
export function joinList(members: readonly string[], separator: string): string {
  return members.map((member) => encodeListMember(member)).join(separator);
}

// oxlint-disable-next-line no-control-regex
const notInLists = /[\u0000-\u001f\u007f-\u009f,]/;

function encodeListMember(member: string): string {
  if (member === '' || notInLists.test(member)) {
    throw new RestError('BAD_USER_INPUT', 'none', { expected: 'list entries without commas' });
  }
  return encodeText(member);
}

function encodeText(text: string): string {
  // encodeURIComponent throws on half a surrogate pair, which no id of the DMS can hold either.
  if (!text.isWellFormed()) {
    throw new RestError('BAD_USER_INPUT', 'none', { expected: 'well-formed Unicode' });
  }
  return encodeURIComponent(text);
}
