import { assert, asyncProperty, infiniteStream, nat } from 'fast-check';
import { Kind, parse, print, visit, type FieldNode, type SelectionNode } from 'graphql';
import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../../helpers/gateway.ts';
import { mergeParts, queryParts, requestParts } from '../../helpers/result-parts.ts';

/** Everything that is read in a way of its own: pages, references, embedded entities, persons, values, texts. */
const document = parse(`{
  viewer { runAs }
  documents(view: INBOX, first: 3) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { ...Card refByDocs(first: 2) { totalCount nodes { ...Card } edges { cursor node { id tags } } } }
    edges { cursor node { id step response { id state author { __typename systemId } } } }
  }
  organizations(first: 2) { totalCount nodes { id name owner { id fullName } } }
  one: document(id: "DOC-0001") { ...Card ...Recognition values { tag ... on TextValue { text person { id fullName } } } }
  again: document(id: "DOC-0001") { ...Card iteration }
}
fragment Card on Document { id fullId shortId state tags author { systemId ... on Person { id fullName } } files { id name } }
fragment Recognition on Document {
  recognizedText { text }
  recoData { id pageIndexStart form { name } result { confidence form { name } } }
}`);

const lists = new Set(['nodes', 'edges', 'recoData', 'files', 'values', 'tags']);

/** The document with directives at the places that `choose` says, by a number for each place. */
function withDirectives(choose: () => number): string {
  const directive = (text: string): FieldNode => {
    const [definition] = parse(`{ a ${text} }`).definitions;
    return (definition as { selectionSet: { selections: readonly FieldNode[] } }).selectionSet
      .selections[0]!;
  };
  const defer = (selections: readonly SelectionNode[]): SelectionNode => ({
    kind: Kind.INLINE_FRAGMENT,
    directives: directive('@defer').directives!,
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  });
  const changed = visit(document, {
    SelectionSet: {
      leave(set) {
        const at = choose() % (set.selections.length * 3);
        if (at >= set.selections.length) return undefined;
        const late = set.selections.slice(at);
        // Some are in both, some have another fragment within.
        const kept = choose() % 3 === 0 ? set.selections : set.selections.slice(0, at);
        const inner =
          late.length > 1 && choose() % 2 === 0 ? [late[0]!, defer(late.slice(1))] : late;
        return { ...set, selections: [...kept, defer(inner)] };
      },
    },
    Field: {
      leave(node) {
        if (!lists.has(node.name.value) || choose() % 4 > 0) return undefined;
        return {
          ...node,
          directives: directive(`@stream(initialCount: ${choose() % 3})`).directives!,
        };
      },
    },
    FragmentSpread: (node) =>
      choose() % 4 === 0 ? { ...node, directives: directive('@defer').directives! } : undefined,
  });
  return print(changed);
}

const runs = 20;

it('gives the same result with the directives anywhere as without', async () => {
  const gateway = await startGatewayOnSandbox({
    server: { maxDirectives: 1000, maxTokens: 20_000, maxDepth: 30 },
  });
  const { data } = await gateway.query(print(document));
  let parts = 0;
  await assert(
    asyncProperty(infiniteStream(nat(1000)), async (numbers) => {
      const all = await queryParts(
        gateway,
        withDirectives(() => numbers.next().value),
      );
      parts += all.length;
      expect(mergeParts(all)).toEqual({ data, errors: [] });
    }),
    { numRuns: runs },
  );
  expect(parts).toBeGreaterThan(runs);
});

it('sorts a page of which a deferred fragment reads more', async () => {
  const gateway = await startGatewayOnSandbox();
  const query = `{ documents(view: INBOX, first: 2, orderBy: { field: DATE_DUE }) {
    nodes { fullId ... @defer { shortId response { state } } }
  } }`;
  const text = await (await requestParts(gateway, query)).text();
  expect(text).not.toContain('errors');
  expect(text.match(/"shortId":"DOC-\d+"/g)).toHaveLength(2);
  // The DMS creates the responses of these two documents only.
  expect(gateway.requests.filter((line) => line.includes('docResponse'))).toHaveLength(2);
});
