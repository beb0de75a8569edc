import { parse, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../../src/schema/plan/planner.ts';
import { readsReferenceData } from '../../../src/features/persisted-documents/caching-headers.ts';
import { schemaWith } from '../../../src/schema/index.ts';
import type { SchemaExtension } from '../../../src/schema/extend.ts';

function planFor(text: string, ...extensions: readonly SchemaExtension[]) {
  const document = parse(text);
  return planOf(
    schemaWith(null, ...extensions),
    document,
    document.definitions[0] as OperationDefinitionNode,
  );
}

describe('an operation reads reference data only', () => {
  it.each([
    '{ person(id: "a") { __typename email deputy { person { id } } meta { revision } } }',
    '{ __typename forms { id title } form(id: "a") { id } }',
    '{ directories { value values { parent { value } owner { email } author { systemId } } } }',
    '{ listValue(id: "a") { author { ... on Person { email } ... on ServiceAccount { systemId } } } }',
    '{ organizations(first: 5, search: "a") { totalCount edges { cursor node { name } } pageInfo { endCursor } } }',
    '{ orgUnit(id: "a") { head { ...F } members { ...F } } } fragment F on Person { email }',
    'query ($a: Boolean!) { organization(id: "a") { name @include(if: $a) } }',
  ])('%s', (text) => {
    expect(readsReferenceData(planFor(text))).toBe(true);
  });
});

describe('an operation reads other data too', () => {
  it.each([
    '{ viewer { runAs person { email } } }',
    '{ __typename }',
    '{ __schema { queryType { name } } person(id: "a") { email } }',
    '{ document(id: "a") { author { ... on Person { email } } } }',
    '{ documents(view: INBOX) { totalCount } }',
    '{ documents(view: INBOX) { pageInfo { endCursor } } }',
    '{ documentResponse(id: "a") { id } }',
    '{ person(id: "a") { email documents(view: ALL) { totalCount } } }',
    '{ form(id: "a") { documents(view: ALL) { totalCount } } }',
    '{ node(id: "a") { id ... on Person { email } } }',
    '{ nodes(ids: ["a"]) { id } }',
    'mutation { updatePerson(input: { id: "a" }) { __typename } }',
  ])('%s', (text) => {
    expect(readsReferenceData(planFor(text))).toBe(false);
  });

  it('if it is a subscription', () => {
    const extension: SchemaExtension = (builder, { PersonRef }) => {
      builder.subscriptionField('joined', (t) =>
        t.field({
          type: PersonRef,
          subscribe: async function* () {},
          resolve: () => null as never,
        }),
      );
    };
    const plan = planFor('subscription { joined { email } }', extension);
    expect(readsReferenceData(plan)).toBe(false);
  });

  it('if an extension added a field', () => {
    const extension: SchemaExtension = (builder, { PersonRef }) => {
      builder.objectField(PersonRef, 'mood', (t) =>
        t.string({ nullable: true, resolve: () => 'x' }),
      );
    };
    expect(readsReferenceData(planFor('{ person(id: "a") { email } }', extension))).toBe(true);
    expect(readsReferenceData(planFor('{ person(id: "a") { mood } }', extension))).toBe(false);
  });
});
