import { Kind } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLResolveInfo,
  SelectionSetNode,
} from 'graphql';

/** The two lists in the query string of a document read. */
export interface Selection {
  readonly fields: string;
  readonly embed: string;
}

const FIELDS: Readonly<Record<string, string>> = {
  shortId: '_id_web',
  author: 'author',
  state: 'state',
  step: 'step',
  iteration: 'iteration',
  status: 'status',
  dateCreated: 'datecreated',
  dateDue: 'datedue',
};

const EMBEDS: Readonly<Record<string, { embed: string; fields: readonly string[] }>> = {
  values: { embed: 'valuesByTags', fields: [] },
  files: { embed: 'filesList', fields: ['id', 'fileName'] },
  refByDocs: { embed: 'refByDocs', fields: [] },
  response: { embed: 'docResponse', fields: ['state', 'step', 'status', 'content'] },
  recoData: {
    embed: 'recoData,valuesByTags',
    fields: ['pageIdxStart', 'pageIdxEnd', 'validated'],
  },
};

const known = new WeakMap<FieldNode, Map<string, Selection>>();

/**
 * Returns what is selected of the documents below a resolver's field, such as `['nodes']` below a connection. Computed
 * once per parsed operation, as an optimized peer would do.
 */
export function selectionOf(info: GraphQLResolveInfo, path: readonly string[] = []): Selection {
  const [node] = info.fieldNodes;
  if (node === undefined) return { fields: '_id', embed: '' };
  let byPath = known.get(node);
  if (byPath === undefined) known.set(node, (byPath = new Map()));
  const key = path.join('.');
  let wanted = byPath.get(key);
  if (wanted === undefined) {
    const selections = info.fieldNodes.flatMap((each) => each.selectionSet ?? []);
    byPath.set(key, (wanted = collect(descend(selections, path, info.fragments), info.fragments)));
  }
  return wanted;
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** Every selected field, including those in fragments. */
function* fieldsOf(set: SelectionSetNode, fragments: Fragments): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* fieldsOf(selection.selectionSet, fragments);
    else {
      const fragment = fragments[selection.name.value];
      if (fragment !== undefined) yield* fieldsOf(fragment.selectionSet, fragments);
    }
  }
}

function descend(
  sets: readonly SelectionSetNode[],
  path: readonly string[],
  fragments: Fragments,
): readonly SelectionSetNode[] {
  const [head, ...rest] = path;
  if (head === undefined) return sets;
  const inner: SelectionSetNode[] = [];
  for (const set of sets) {
    for (const field of fieldsOf(set, fragments)) {
      if (field.name.value === head && field.selectionSet !== undefined) {
        inner.push(field.selectionSet);
      }
    }
  }
  return descend(inner, rest, fragments);
}

function collect(sets: readonly SelectionSetNode[], fragments: Fragments): Selection {
  const fields = new Set(['_id']);
  const embed = new Set<string>();
  for (const set of sets) {
    for (const field of fieldsOf(set, fragments)) {
      const name = field.name.value;
      const plain = FIELDS[name];
      if (plain !== undefined) fields.add(plain);
      const embedded = EMBEDS[name];
      if (embedded !== undefined) {
        embed.add(embedded.embed);
        for (const each of embedded.fields) fields.add(each);
      }
    }
  }
  return { fields: [...fields].join(','), embed: [...embed].join(',') };
}

/** The query string of a document read. */
export function queryOf({ fields, embed }: Selection): string {
  return `fields=${fields}${embed === '' ? '' : `&embed=${embed}`}`;
}
