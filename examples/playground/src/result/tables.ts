import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLNamedType,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';

export interface ResultTable {
  /** The response keys that lead to it, such as `documents nodes`. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, readonly Cell[]>[];
}

interface Cell {
  readonly text: string;
  readonly href?: string;
}

const documentIds = new Set(['shortId', 'fullId', 'id']);

/** What is selected of an object: the selection sets of its fields with the same response key, and its type. */
interface Selected {
  readonly sets: readonly SelectionSetNode[];
  /** Null if the schema is not known. */
  readonly type: GraphQLNamedType | null;
}

type Fields = ReadonlyMap<string, { readonly name: string; readonly below: Selected }>;

/**
 * Returns the lists of objects in the data of a result that are not within another list. Objects within a row are columns
 * whose names begin with that of the object. A document links to `pageOf(id)`, a file to its URL.
 *
 * @param schema null if it is not known: nothing is a link then
 */
export function tablesOf(
  data: unknown,
  document: DocumentNode,
  schema: GraphQLSchema | null,
  pageOf: ((id: string) => string) | null,
): readonly ResultTable[] {
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  );
  if (operation === undefined) return [];
  const type = schema?.getRootType(operation.operation) ?? null;
  const reader = new Reader(document, schema, pageOf);
  return reader.tables(data, { sets: [operation.selectionSet], type }, []);
}

class Reader {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #schema: GraphQLSchema | null;
  readonly #pageOf: ((id: string) => string) | null;

  constructor(
    document: DocumentNode,
    schema: GraphQLSchema | null,
    pageOf: ((id: string) => string) | null,
  ) {
    const fragments = document.definitions.filter((one) => one.kind === 'FragmentDefinition');
    this.#fragments = new Map(fragments.map((one) => [one.name.value, one]));
    this.#schema = schema;
    this.#pageOf = pageOf;
  }

  tables(value: unknown, selected: Selected, path: readonly string[]): ResultTable[] {
    if (!isObject(value)) return [];
    const fields = this.#fieldsOf(selected);
    return Object.entries(value).flatMap(([key, inner]) => {
      const below = fields.get(key)?.below ?? { sets: [], type: null };
      if (!Array.isArray(inner)) return this.tables(inner, below, [...path, key]);
      const items = inner.filter(isObject);
      return items.length === 0 ? [] : [this.#table([...path, key].join(' '), items, below)];
    });
  }

  #table(name: string, items: readonly Json[], selected: Selected): ResultTable {
    const rows = items.map((item) => new Map(this.#cells(item, selected, [])));
    return { name, columns: [...new Set(rows.flatMap((row) => [...row.keys()]))], rows };
  }

  #cells(item: Json, selected: Selected, path: readonly string[]): [string, readonly Cell[]][] {
    const fields = this.#fieldsOf(selected);
    let hasLink = false;
    return Object.entries(item).flatMap(([key, value]) => {
      const { name, below } = fields.get(key) ?? { name: key, below: { sets: [], type: null } };
      if (isObject(value)) return this.#cells(value, below, [...path, key]);
      // Its columns are those of the objects in other rows.
      if (value === null && below.sets.length > 0) return [];
      const isLink = !hasLink && selected.type?.name === 'Document' && documentIds.has(name);
      hasLink ||= isLink;
      const cells = isLink ? [this.#documentCell(textOf(value))] : this.#parts(value, below);
      return [[[...path, key].join(' '), cells]];
    });
  }

  #documentCell(text: string): Cell {
    return this.#pageOf === null ? { text } : { text, href: this.#pageOf(text) };
  }

  #parts(value: unknown, selected: Selected): readonly Cell[] {
    if (Array.isArray(value)) return value.flatMap((one) => this.#parts(one, selected));
    if (value === null || value === undefined) return [];
    if (!isObject(value)) {
      const text = textOf(value);
      return [selected.type?.name === 'URL' ? { text, href: text } : { text }];
    }
    // An object in a list of a row is one part: its texts, with the link of one of them.
    const parts = this.#cells(value, selected, []).flatMap(([, cells]) => cells);
    const href = parts.find((part) => part.href !== undefined)?.href;
    const texts = parts.filter(({ text }) => text !== href).map(({ text }) => text);
    return [{ text: texts.join(' ') || (href ?? ''), ...(href !== undefined && { href }) }];
  }

  #fieldsOf({ sets, type }: Selected): Fields {
    const fields = new Map<string, { name: string; below: Selected }>();
    const add = (node: FieldNode, parent: GraphQLNamedType | null): void => {
      const key = (node.alias ?? node.name).value;
      const before = fields.get(key)?.below.sets ?? [];
      const hasFields = parent !== null && 'getFields' in parent;
      const definition = hasFields ? parent.getFields()[node.name.value] : undefined;
      const below = {
        sets: node.selectionSet === undefined ? before : [...before, node.selectionSet],
        type: definition === undefined ? null : namedType(definition.type as GraphQLOutputType),
      };
      fields.set(key, { name: node.name.value, below });
    };
    const visit = (set: SelectionSetNode, parent: GraphQLNamedType | null): void => {
      for (const node of set.selections) {
        if (node.kind === 'Field') add(node, parent);
        else {
          const fragment =
            node.kind === 'InlineFragment' ? node : this.#fragments.get(node.name.value);
          const condition = fragment?.typeCondition?.name.value;
          const inner = condition === undefined ? parent : this.#schema?.getType(condition);
          if (fragment !== undefined) visit(fragment.selectionSet, inner ?? null);
        }
      }
    };
    for (const set of sets) visit(set, type);
    return fields;
  }
}

/** As `getNamedType`, whose `instanceof` fails between two copies of graphql. */
function namedType(type: GraphQLOutputType): GraphQLNamedType {
  return 'ofType' in type ? namedType(type.ofType) : type;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
