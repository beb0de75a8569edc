import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { GatewayContext } from '../../../src/context.ts';
import type { DocumentTable } from '../../../src/model/common.ts';
import { schema } from '../../../src/schema/index.ts';

/** Resolves a field of a table with 10 rows of 2 cells whose rows cannot be read. */
function resolveUnreadable(name: 'rows' | 'records', listFields: number, maxListFields: number) {
  const table: DocumentTable = {
    kind: 'table',
    tag: 'lines',
    columns: ['n', 'sum'],
    rowCount: 10,
    cellCount: 20,
    get rows(): string[][] {
      throw new Error('the rows were read');
    },
  };
  const type = schema.getType('TableValue') as GraphQLObjectType;
  const context = { listFields, maxListFields } as GatewayContext;
  const { resolve } = type.getFields()[name]!;
  return () => resolve!(table, {}, context, {} as GraphQLResolveInfo);
}

const tooMany = expect.objectContaining({
  message: expect.stringContaining('MAX_LIST_FIELDS allows'),
  extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }),
});

describe('the rows of a table', () => {
  it.each([
    ['rows', 30],
    ['records', 20],
  ] as const)('are not read as %s if they exceed MAX_LIST_FIELDS', (name, fields) => {
    expect(resolveUnreadable(name, 5, fields + 4)).toThrow(tooMany);
    expect(resolveUnreadable(name, 5, fields + 5)).toThrow('the rows were read');
  });

  it.each(['rows', 'records'] as const)('are not read as %s after the limit', (name) => {
    expect(resolveUnreadable(name, 11, 10)).toThrow(tooMany);
  });
});
