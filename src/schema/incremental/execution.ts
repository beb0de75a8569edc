import type {
  DocumentNode,
  FieldNode,
  GraphQLResolveInfo,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import type { IncrementalExecution } from '../../context.ts';
import { badInput } from '../graphql-error.ts';
import { initialCountOf, isDeferred } from './directives.ts';
import type { IncrementalPlan } from './plan.ts';

/** The value of a field whose result is no longer used. Each field has its own promise, so that it can be collected. */
const never = (): Promise<never> => new Promise(() => {});

type Variables = Readonly<Record<string, unknown>>;
type Path = GraphQLResolveInfo['path'];

/**
 * Of one operation. The executor waits for all unfinished parts before it makes the next one: the work grows with the
 * square of their number.
 */
const maxParts = 1000;

/** One operation with `@defer` or `@stream`. */
export class IncrementalOperation implements IncrementalExecution {
  readonly pages: IncrementalExecution['pages'];
  readonly firstPart: Promise<unknown>;
  readonly #plan: IncrementalPlan;
  readonly #variables: Variables;
  readonly #isOver: () => boolean;
  readonly #levels = new Map<FieldNode, number>();
  readonly #partsPerItem = new Map<FieldNode, number>();
  /** Of each object, the fields of its deferred fragments by how deep these are in each other, from 1. */
  readonly #resolving = new WeakMap<object, Promise<unknown>[][]>();
  #start!: (data: unknown) => void;
  #parts = 0;

  /**
   * @param variables coerced
   * @param isOver whether the response has ended; no turn comes after that
   */
  constructor(
    plan: IncrementalPlan,
    variables: Variables,
    pages: IncrementalExecution['pages'],
    isOver: () => boolean,
  ) {
    this.#plan = plan;
    this.#variables = variables;
    this.#isOver = isOver;
    this.pages = pages;
    this.firstPart = new Promise((resolve) => (this.#start = resolve));
  }

  /** The query document that is executed instead of the client's. */
  get document(): DocumentNode {
    return this.#plan.document;
  }

  /** Lets the later parts be executed. Only the first call has an effect. @param data of the first part */
  start(data: unknown): void {
    this.#start(data);
  }

  initialCount({ fieldNodes: [node] }: GraphQLResolveInfo): number {
    return initialCountOf(node!, this.#variables) ?? Infinity;
  }

  resolveInTurn(
    source: unknown,
    info: GraphQLResolveInfo,
    resolve: (isDeferred: boolean) => unknown,
  ): unknown {
    const [node] = info.fieldNodes;
    const level = this.#levelOf(node!);
    if (level === 0) {
      return this.#isStreamedLater(node!, info.path)
        ? this.#afterFirstPart(info.path).then(() => resolve(false))
        : resolve(false);
    }
    const owner = typeof source === 'object' && source !== null ? source : this;
    const levels = this.#resolving.get(owner) ?? [];
    this.#resolving.set(owner, levels);
    const resolved = this.#afterFirstPart(info.path)
      .then(() => Promise.allSettled(levels.slice(0, level).flat()))
      .then(() => (this.#isOver() ? never() : resolve(true)));
    (levels[level] ??= []).push(resolved);
    return resolved;
  }

  countParts(items: number, { fieldNodes, fragments }: GraphQLResolveInfo): void {
    for (const node of fieldNodes) {
      let perItem = this.#partsPerItem.get(node);
      if (perItem === undefined) {
        const below = node.selectionSet ? this.#defersIn(node.selectionSet, fragments) : 0;
        perItem = below + (initialCountOf(node, this.#variables) === null ? 0 : 1);
        this.#partsPerItem.set(node, perItem);
      }
      this.#parts += items * perItem;
    }
    if (this.#parts <= maxParts) return;
    throw badInput(
      `The result has too many parts: at most ${maxParts} deferred fragments and streamed items are allowed. Ask for smaller pages.`,
    );
  }

  /** How many deferred fragments of the same object a field is in. */
  #levelOf(node: FieldNode): number {
    let level = this.#levels.get(node);
    if (level === undefined) {
      const defers = this.#plan.placements.get(node)?.defers ?? [];
      level = defers.filter((defer) => isDeferred(defer, this.#variables)).length;
      this.#levels.set(node, level);
    }
    return level;
  }

  /** Whether a field belongs to an item of a list behind those that are in the first part. */
  #isStreamedLater(node: FieldNode, { prev }: Path): boolean {
    const streamed = this.#plan.placements.get(node)?.streamed;
    if (streamed == null || typeof prev?.key !== 'number') return false;
    const initialCount = initialCountOf(streamed, this.#variables);
    return initialCount !== null && prev.key >= initialCount;
  }

  async #afterFirstPart({ prev }: Path): Promise<void> {
    const data = await this.firstPart;
    // The executor has dropped the parts of an object that an error below it made null. They must cost nothing.
    if (isNullIn(data, prev)) await never();
  }

  #defersIn({ selections }: SelectionSetNode, fragments: GraphQLResolveInfo['fragments']): number {
    let defers = 0;
    for (const node of selections) {
      if (isDeferred(node, this.#variables)) defers += 1;
      const set = selectionSetOf(node, fragments);
      if (set !== undefined) defers += this.#defersIn(set, fragments);
    }
    return defers;
  }
}

function selectionSetOf(
  node: SelectionNode,
  fragments: GraphQLResolveInfo['fragments'],
): SelectionSetNode | undefined {
  return node.kind === 'FragmentSpread'
    ? fragments[node.name.value]?.selectionSet
    : node.selectionSet;
}

/** Whether the object at a path, or one above it, is null. Missing objects belong to a later part. */
function isNullIn(data: unknown, path: Path | undefined): boolean {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.prev) keys.unshift(at.key);
  let value: unknown = data;
  for (const key of keys) {
    if (value === null) return true;
    if (typeof value !== 'object') return false;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value === null;
}
