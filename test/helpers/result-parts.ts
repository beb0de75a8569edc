import type { TestGateway } from './gateway.ts';
import { schema } from './served-schema.ts';

/** Whether the gateway supports `@defer` and `@stream`: only with a feature. */
export const answersInParts = schema.getDirective('defer') != null;

/** One part of a result in the form of the proposal of 24 August 2022. */
export interface ResultPart {
  readonly data?: Json;
  readonly errors?: readonly PartError[];
  readonly incremental?: readonly IncrementalPart[];
  readonly hasNext?: boolean;
  readonly extensions?: Record<string, unknown>;
}

interface IncrementalPart {
  readonly data?: Json;
  readonly items?: readonly Json[] | null;
  readonly path: readonly (string | number)[];
  readonly label?: string;
  readonly errors?: readonly PartError[];
}

interface PartError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, unknown>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each test knows the shape of its result
type Json = any;

interface PartsRequest {
  readonly accept?: string;
  readonly variables?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** POSTs an operation of a client that accepts parts. */
export function requestParts(
  gateway: Pick<TestGateway, 'fetch'>,
  query: string,
  { accept = 'multipart/mixed', variables = {}, headers = {}, signal }: PartsRequest = {},
): Promise<Response> {
  return gateway.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
}

/** The parts of an answer, as they arrive; of a whole answer the only one. */
export async function* readParts({ body }: Response): AsyncGenerator<ResultPart, undefined> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop()!;
    yield* lines.flatMap(partsIn);
  }
  yield* partsIn(text);
}

function partsIn(line: string): ResultPart[] {
  const [, json] = /^(?:data: )?(\{.*\})\r?$/.exec(line) ?? [];
  return json === undefined ? [] : [JSON.parse(json) as ResultPart];
}

/** All parts that are still to come. */
export async function allParts(parts: AsyncIterable<ResultPart>): Promise<ResultPart[]> {
  const all: ResultPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** All parts of the answer to an operation. */
export async function queryParts(
  gateway: Pick<TestGateway, 'fetch'>,
  query: string,
  request: PartsRequest = {},
): Promise<ResultPart[]> {
  return allParts(readParts(await requestParts(gateway, query, request)));
}

/** The result that a client has in the end. */
export function mergeParts(parts: readonly ResultPart[]): {
  readonly data: Json;
  readonly errors: readonly PartError[];
} {
  const result = { data: structuredClone(parts[0]?.data ?? null), errors: [] as PartError[] };
  for (const { errors = [], incremental = [] } of structuredClone(parts)) {
    result.errors.push(...errors);
    for (const { path, data, items, errors: partErrors = [] } of incremental) {
      result.errors.push(...partErrors);
      if (items != null) {
        // An item may come twice, by two directives: it is merged like any other value, as clients do.
        const first = Number(path.at(-1));
        const added = Object.fromEntries(items.map((item, index) => [first + index, item]));
        merge(valueAt(result.data, path.slice(0, -1)), added);
      } else if (data != null) merge(valueAt(result.data, path), data);
    }
  }
  return result;
}

function valueAt(data: Json, path: readonly (string | number)[]): Json {
  return path.reduce<Json>((value, key) => value[key], data);
}

function merge(target: Json, source: Json): void {
  for (const [key, value] of Object.entries<Json>(source)) {
    const before = target[key];
    if (
      typeof before === 'object' &&
      before !== null &&
      typeof value === 'object' &&
      value !== null
    )
      merge(before, value);
    else target[key] = value;
  }
}
