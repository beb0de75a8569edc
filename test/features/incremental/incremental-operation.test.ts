import { buildSchema, getOperationAST, parse, type GraphQLResolveInfo } from 'graphql';
import { expect, it, vi } from 'vitest';
import { DocumentLoader } from '../../../src/loaders/document-loader.ts';
import { DocumentPages } from '../../../src/features/incremental/document-pages.ts';
import { IncrementalOperation } from '../../../src/features/incremental/incremental-operation.ts';
import { incrementalPlanOf } from '../../../src/features/incremental/incremental-plan.ts';
import { planOf } from '../../../src/schema/plan/planner.ts';

it('resolves nothing of an object that is null in the first part, after later parts as well', async () => {
  const document = parse('{ missing { ... @defer { name } } kept { ... @defer { name } } }');
  const schema = buildSchema(
    'type Query { missing: Person kept: Person } type Person { name: ID }',
  );
  const plan = incrementalPlanOf(planOf(schema, document, getOperationAST(document)!), true);
  const pages = new DocumentPages(new DocumentLoader(() => Promise.reject(new Error('a read'))));
  const operation = new IncrementalOperation(plan, {}, pages, () => false);
  const parentType = schema.getType('Person');
  const { node } = plan.root.fields[0]!.below[0]!.fields[0]!;
  const nameOf = (key: string) =>
    ({
      fieldNodes: [node],
      operation: plan.operation,
      parentType,
      path: { prev: { prev: undefined, key, typename: 'Query' }, key: 'name', typename: 'Person' },
    }) as unknown as GraphQLResolveInfo;

  operation.partSent({ missing: null, kept: {} });
  operation.partSent(undefined); // a later part, which has no data
  const resolveMissing = vi.fn<() => void>();
  void operation.resolveInOrder({}, nameOf('missing'), resolveMissing);

  expect(await operation.resolveInOrder({}, nameOf('kept'), () => 'Ann')).toBe('Ann');
  expect(resolveMissing).not.toHaveBeenCalled();
});
