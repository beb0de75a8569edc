import { RestError } from './errors.ts';

const longestSegment = 256;
// Controls, white space, and what separates parts of a path, a query or a list.
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0020\u007f-\u009f\s/\\?#%,;&]/;

/**
 * An id as one segment of a path, encoded.
 *
 * The gateway refuses what could lead elsewhere rather than trusting that the DMS decodes it as we would.
 * @throws {RestError} `BAD_USER_INPUT` for an empty or over-long id, `.`, `..`, separators, white space, controls
 */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..' || id.length > longestSegment || forbidden.test(id)) {
    throw new RestError('BAD_USER_INPUT', 'none', { expected: 'an id without separators' });
  }
  return encode(id);
}

/**
 * Parameters as a query, with its `?`; those that are undefined are left out. Lists are joined with commas, which
 * is how the DMS separates them.
 * @throws {RestError} `BAD_USER_INPUT` for a list with a comma or a control character in a member
 */
export function query(
  parameters: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const text = typeof value === 'object' ? joined(value, ',') : encode(String(value));
    parts.push(`${name}=${text}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Members of a list, each encoded, with the separator as it is. @throws {RestError} `BAD_USER_INPUT` */
export function joined(members: readonly string[], separator: string): string {
  return members.map((member) => listMember(member)).join(separator);
}

// oxlint-disable-next-line no-control-regex
const unfitForLists = /[\u0000-\u001f\u007f-\u009f,]/;

function listMember(member: string): string {
  if (member === '' || unfitForLists.test(member)) {
    throw new RestError('BAD_USER_INPUT', 'none', { expected: 'list members without commas' });
  }
  return encode(member);
}

function encode(text: string): string {
  // encodeURIComponent throws on half a surrogate pair, which no id of the DMS can hold either.
  if (!text.isWellFormed()) {
    throw new RestError('BAD_USER_INPUT', 'none', { expected: 'well-formed Unicode' });
  }
  return encodeURIComponent(text);
}
