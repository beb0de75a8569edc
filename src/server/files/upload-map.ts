import { badRequest, tooLarge, type HttpError } from '../errors/http-error.ts';

export interface UploadTarget {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

const maxPathsPerFile = 10;
const maxPathLength = 1000;

/**
 * Returns the targets of each file of a multipart request, by part name. It validates the complete map and modifies
 * nothing: a path must lead to a null in `variables` through own properties, and no two paths can be equal.
 */
export function uploadTargets(
  map: unknown,
  operations: Record<string, unknown>,
  maxFiles: number,
): Map<string, readonly UploadTarget[]> {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw badRequest('`map` must be a JSON object.');
  }
  const entries = Object.entries(map as Record<string, unknown>);
  if (entries.length > maxFiles) {
    throw tooLarge(`The request has too many files; MAX_UPLOAD_FILES allows ${maxFiles}.`);
  }
  const usedPaths = new Set<string>();
  const targets = entries.map(([name, paths]): [string, UploadTarget[]] => {
    if (!Array.isArray(paths))
      throw badRequest('`map` must contain a list of paths for each file.');
    if (paths.length > maxPathsPerFile) {
      throw badRequest(`\`map\` can contain at most ${maxPathsPerFile} paths per file.`);
    }
    return [name, paths.map((path) => targetAt(path, operations, usedPaths))];
  });
  return new Map(targets);
}

function targetAt(
  path: unknown,
  operations: Record<string, unknown>,
  usedPaths: Set<string>,
): UploadTarget {
  if (typeof path !== 'string') throw badRequest('A path in `map` must be a string.');
  if (path.length > maxPathLength) throw badRequest('A path in `map` is too long.');
  const [root, ...keys] = path.split('.');
  if (root !== 'variables' || keys.length === 0) {
    throw badRequest('A path in `map` must start with `variables.`.');
  }
  // Paths use own properties and canonical indexes only, so two paths lead to the same target only if they are equal.
  if (usedPaths.has(path)) throw badRequest('`map` contains the same path more than once.');
  usedPaths.add(path);
  let parent: UploadTarget['parent'] = operations;
  let key: string | number = root;
  let value = ownValue(parent, key);
  for (const next of keys) {
    if (typeof value !== 'object' || value === null) throw invalidPath();
    parent = value as UploadTarget['parent'];
    key = Array.isArray(parent) ? indexIn(parent, next) : next;
    value = ownValue(parent, key);
  }
  if (value !== null) throw invalidPath();
  return { parent, key };
}

function indexIn(list: readonly unknown[], key: string): number {
  if (!/^(?:0|[1-9]\d*)$/.test(key)) throw invalidPath();
  const index = Number(key);
  if (index < list.length) return index;
  throw badRequest('`map` points past the end of a list. Use null placeholders in `variables`.');
}

/**
 * JSON can contain `__proto__` as an own property. Setting it would be safe, but no GraphQL name starts with two
 * underscores.
 */
function ownValue(parent: UploadTarget['parent'], key: string | number): unknown {
  if (key === '__proto__' || !Object.hasOwn(parent, key)) throw invalidPath();
  return (parent as Record<string | number, unknown>)[key];
}

function invalidPath(): HttpError {
  return badRequest('A path in `map` must point to a null value in `variables`.');
}
