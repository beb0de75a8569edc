import { isValidId } from '../../model/resource.ts';
import { RestError } from '../client/rest-error.ts';

export function pathSegment(id: string): string {
  if (!isValidId(id)) throw new RestError('BAD_USER_INPUT', null, { expected: 'a valid ID' });
  return encodeURIComponent(id);
}

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

export function joinList(members: readonly string[], separator: string): string {
  return members.map((member) => encodeListMember(member)).join(separator);
}

// oxlint-disable-next-line no-control-regex
const notInLists = /[\u0000-\u001f\u007f-\u009f,]/;

function encodeListMember(member: string): string {
  if (member === '' || notInLists.test(member)) {
    throw new RestError('BAD_USER_INPUT', null, {
      expected: 'non-empty list entries without commas and control characters',
    });
  }
  return encodeText(member);
}

function encodeText(text: string): string {
  // encodeURIComponent throws on an unpaired surrogate.
  if (!text.isWellFormed()) {
    throw new RestError('BAD_USER_INPUT', null, { expected: 'well-formed Unicode' });
  }
  return encodeURIComponent(text);
}
