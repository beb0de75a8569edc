import { isObject } from '../http/request-body.ts';
import { badRequest } from '../problem.ts';
import type { Value, Values } from '../store/documents.ts';

/** Document content in a request. Omitted parts are undefined. */
export interface DocumentInput {
  readonly values?: Values;
  readonly tags?: readonly string[];
}

/**
 * Validates `docForm` of a request. Tags that the form does not define are stored too.
 * @throws {Problem} 400 with the field name, for values that are neither text nor tables, and for invalid tags
 */
export function documentInput(docForm: unknown): DocumentInput {
  if (docForm === undefined) return {};
  if (!isObject(docForm)) throw badRequest('docForm must be an object.');
  const { valuesByTags, _tags } = docForm;
  return {
    ...(valuesByTags === undefined ? {} : { values: valuesOf(valuesByTags) }),
    ...(_tags === undefined ? {} : { tags: tagsOf(_tags) }),
  };
}

function valuesOf(given: unknown): Values {
  if (!isObject(given)) throw badRequest('docForm.valuesByTags must be an object.');
  const entries = Object.entries(given).map(([tag, value]): [string, Value] => {
    if (tag === '') throw badRequest('docForm.valuesByTags has an empty tag.');
    if (typeof value !== 'string' && !isTable(value)) {
      throw badRequest(`docForm.valuesByTags.${tag} must be a string or rows of strings.`);
    }
    return [tag, value];
  });
  return Object.fromEntries(entries);
}

function isTable(value: unknown): value is string[][] {
  return (
    Array.isArray(value) &&
    value.every(
      (row: unknown) =>
        Array.isArray(row) && row.every((cell: unknown) => typeof cell === 'string'),
    )
  );
}

const isTag = (tag: unknown): tag is string =>
  typeof tag === 'string' && tag.trim() !== '' && !tag.includes(',');

/** Validates document tags. A tag with a comma could not be used as a filter of a view. */
function tagsOf(given: unknown): string[] {
  if (!Array.isArray(given) || !given.every(isTag)) {
    throw badRequest('docForm._tags must be an array of non-empty strings without commas.');
  }
  return [...new Set(given)];
}

/**
 * Returns the action code of `docResponse`.
 * @throws {Problem} 400 if it is missing or not in `allowed`
 */
export function actionInput(docResponse: unknown, allowed: ReadonlySet<number>): number {
  const code = isObject(docResponse) ? docResponse.taskstatus : undefined;
  if (typeof code !== 'number' || !allowed.has(code)) {
    throw badRequest(`docResponse.taskstatus must be one of ${[...allowed].join(', ')}.`);
  }
  return code;
}

/** Returns the free text of an action. @throws {Problem} 400 if it is not a string */
export function contentInput(docResponse: unknown): string {
  const content = isObject(docResponse) ? docResponse.content : undefined;
  if (content === undefined) return '';
  if (typeof content !== 'string') throw badRequest('docResponse.content must be a string.');
  return content;
}
