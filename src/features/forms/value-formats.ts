import { GraphQLScalarType, Kind, type GraphQLResolveInfo, type ValueNode } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { isFullId, resources, type NodeType } from '../../model/resource.ts';
import { parseTimestamp } from '../../model/timestamp.ts';
import type { ValueType } from '../../model/form.ts';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import type { InputCheck, Path } from '../../schema/input/input-check.ts';
import { objectOf, readObject } from '../../schema/related-objects.ts';

interface ValueFormat {
  readonly matches: (text: string) => boolean;
  readonly stored: string;
  readonly read: (text: string, context: GatewayContext, info: GraphQLResolveInfo) => unknown;
  readonly normalized?: (text: string) => string;
  readonly write: (value: unknown, path: Path, check: InputCheck) => string;
  readonly what: string;
  readonly listCost?: number;
  readonly isKey?: (text: string) => boolean;
}

const decimal = /^-?\d+(?:\.\d+)?$/;

const dateOf = (text: string): string | undefined => parseTimestamp(text)?.date;

function timeOf(text: string): string | undefined {
  const time = parseTimestamp(text);
  if (time === null) return undefined;
  const wholeSeconds = new Date(Math.floor(time.ms / 1000) * 1000);
  return wholeSeconds.toISOString().replace('.000', time.fraction);
}

/** A text that must match a rule. `read` returns what a client reads of a stored text, `written` what is sent. */
function scalar(
  what: string,
  read: (text: string) => string | undefined,
  written = read,
): ValueFormat {
  return {
    matches: (text) => read(text) !== undefined,
    stored: what,
    what,
    read,
    normalized: (text) => read(text) ?? text,
    write(value, path, check) {
      const text = typeof value === 'string' ? value && written(value) : undefined;
      if (text === undefined) check.issue(path, `The value must be ${what}.`);
      return text ?? '';
    },
  };
}

function idOf(type: NodeType, isKey: (id: string) => boolean): ValueFormat {
  const { matches, what } = resources[type].accepts;
  return {
    matches,
    stored: what,
    what: `a global ID or ${what}`,
    isKey,
    read(text, context, info) {
      if (!matches(text)) return undefined;
      return isKey(text)
        ? objectOf(type, text, context, info)
        : readObject(type, text, context, info);
    },
    write: (value, path, check) =>
      value === '' ? '' : (check.id(type, String(value), path) ?? ''),
  };
}

const isSystemId = (id: string): boolean => /^unit[\da-f]{4}$/i.test(id);

export const valueFormats: Readonly<Record<Exclude<ValueType, 'Table'>, ValueFormat>> = {
  String: scalar('a text', (text) => text),
  Decimal: scalar('a decimal number as text, such as `2587.71`', (text) =>
    decimal.test(text) ? text : undefined,
  ),
  Date: {
    ...scalar('a date such as `2026-03-01`', dateOf, (text) =>
      dateOf(text) === text ? text : undefined,
    ),
    listCost: 2,
  },
  DateTime: {
    ...scalar('an ISO 8601 timestamp such as `2026-03-01T09:30:00Z`', timeOf),
    listCost: 3,
  },
  Boolean: {
    matches: (text) => text === 'true' || text === 'false',
    stored: '`true` or `false`',
    what: '`true` or `false`',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    write: String,
  },
  Organization: idOf('Organization', isFullId),
  Person: idOf('Person', () => true),
  OrgUnit: idOf('OrgUnit', isSystemId),
  ListValue: idOf('ListValue', () => true),
  Document: idOf('Document', isFullId),
};

export function countListItems(text: string, max: number): number {
  let count = 1;
  for (let at = text.indexOf(','); at !== -1 && count <= max; at = text.indexOf(',', at + 1)) {
    count += 1;
  }
  return count;
}

export const listItems = (type: ValueType, text: string, max: number): string[] =>
  text.split(',', max + 1).map((item) => (type === 'String' ? item : item.trim()));

export const isIdType = (type: ValueType): type is NodeType & ValueType =>
  Object.hasOwn(resources, type);

function literal(node: ValueNode): string {
  if (node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT) {
    return node.value;
  }
  throw createGraphQLError('The value must be a string.', { nodes: node });
}

const textScalar = (name: string, description: string): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    parseValue: (value) => value,
    parseLiteral: literal,
  });

/** The scalars that forms add to the schema. Inputs are checked when they are written, so that issues have a path. */
export const formScalars = {
  Decimal: textScalar(
    'Decimal',
    'A decimal number as text, such as `2587.71`: exact, with all digits that are stored. Send variables as strings.',
  ),
  Date: textScalar('Date', 'A calendar date without a time zone, such as `2026-03-01`.'),
};
