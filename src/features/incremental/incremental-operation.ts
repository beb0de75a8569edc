import type { DocumentNode, FieldNode, GraphQLResolveInfo, SelectionNode } from 'graphql';
import type { IncrementalExecution } from '../../context.ts';
import { badInput } from '../../schema/graphql-error.ts';
import { initialCountOf, isDeferred } from '../../schema/plan/directives.ts';
import type { OperationPlan, PlannedField, Variables } from '../../schema/plan/operation-plan.ts';
import { fieldsOf } from '../../schema/plan/planner.ts';
import type { DocumentPages } from './document-pages.ts';

/** The value of a field whose result is no longer used. Each field has its own, so that it can be garbage-collected. */
const never = (): Promise<never> => new Promise(() => {});

type Path = GraphQLResolveInfo['path'];

const maxParts = 1000;

export class IncrementalOperation implements IncrementalExecution {
  readonly pages: DocumentPages;
  readonly firstPart: Promise<unknown>;
  readonly document: DocumentNode;
  readonly #variables: Variables;
  readonly #hasEnded: () => boolean;
  readonly #deferDepths = new Map<FieldNode, number>();
  readonly #partsPerItem = new Map<FieldNode, number>();
  readonly #resolving = new WeakMap<object, Promise<unknown>[][]>();
  #start!: (data: unknown) => void;
  #parts = 0;

  /** @param plan of a document without fragment spreads, so that each field node has one place in the result */
  constructor(
    { document }: OperationPlan,
    variables: Variables,
    pages: DocumentPages,
    hasEnded: () => boolean,
  ) {
    this.document = document.node;
    this.#variables = variables;
    this.#hasEnded = hasEnded;
    this.pages = pages;
    this.firstPart = new Promise((resolve) => (this.#start = resolve));
  }

  addPage(...page: Parameters<DocumentPages['add']>): void {
    this.pages.add(...page);
  }

  partSent(data: unknown): void {
    this.#start(data);
  }

  initialCount({ fieldNodes: [node] }: GraphQLResolveInfo): number {
    return initialCountOf(node!, this.#variables) ?? Infinity;
  }

  /**
   * Resolves a field when its part is executed: a field of the first part at once; one of a later part after the
   * first part; and one of a deferred fragment within another one of the same object after the fields of the outer
   * fragment.
   */
  resolveInOrder(
    source: unknown,
    info: GraphQLResolveInfo,
    resolve: (isDeferred: boolean) => unknown,
  ): unknown {
    const [field] = fieldsOf(info);
    const depth = this.#deferDepthOf(field!);
    if (depth === 0) {
      return this.#isStreamedLater(field!, info.path)
        ? this.#afterFirstPart(info.path).then(() => resolve(false))
        : resolve(false);
    }
    const owner = typeof source === 'object' && source !== null ? source : this;
    const fieldsByDepth = this.#resolving.get(owner) ?? [];
    this.#resolving.set(owner, fieldsByDepth);
    const resolved = this.#afterFirstPart(info.path)
      .then(() => Promise.allSettled(fieldsByDepth.slice(0, depth).flat()))
      .then(() => (this.#hasEnded() ? never() : resolve(true)));
    (fieldsByDepth[depth] ??= []).push(resolved);
    return resolved;
  }

  countParts(items: number, info: GraphQLResolveInfo): void {
    for (const field of fieldsOf(info)) {
      let perItem = this.#partsPerItem.get(field.node);
      if (perItem === undefined) {
        const isStreamed = initialCountOf(field.node, this.#variables) !== null;
        perItem = this.#defersBelow(field).size + (isStreamed ? 1 : 0);
        this.#partsPerItem.set(field.node, perItem);
      }
      this.#parts += items * perItem;
    }
    if (this.#parts <= maxParts) return;
    throw badInput(
      `The result has too many parts: at most ${maxParts} deferred fragments and streamed items are allowed. Request smaller pages.`,
    );
  }

  #deferDepthOf({ node, conditions }: PlannedField): number {
    let depth = this.#deferDepths.get(node);
    if (depth === undefined) {
      depth = conditions.filter((one) => isDeferred(one.node, this.#variables)).length;
      this.#deferDepths.set(node, depth);
    }
    return depth;
  }

  #isStreamedLater({ parent }: PlannedField, { prev }: Path): boolean {
    if (parent === null || typeof prev?.key !== 'number') return false;
    const initialCount = initialCountOf(parent, this.#variables);
    return initialCount !== null && prev.key >= initialCount;
  }

  #defersBelow({ below }: PlannedField, found = new Set<SelectionNode>()): Set<SelectionNode> {
    for (const field of below.flatMap(({ fields }) => fields)) {
      for (const { node } of field.conditions) {
        if (isDeferred(node, this.#variables)) found.add(node);
      }
      this.#defersBelow(field, found);
    }
    return found;
  }

  async #afterFirstPart({ prev }: Path): Promise<void> {
    const data = await this.firstPart;
    // The executor discards the later parts of an object that is null because of an error. They must cost nothing.
    if (isNullIn(data, prev)) await never();
  }
}

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
