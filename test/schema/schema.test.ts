import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { printSortedSchema } from '../../src/schema/print.ts';
import { schema } from '../helpers/served-schema.ts';

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

/*
 * `released.graphql` is the schema of the last release. A breaking change must be acknowledged by name. At a release,
 * the printed schema is copied there and the list is emptied.
 */
it('breaks no client without acknowledgement', async () => {
  const released = buildSchema(await read('released.graphql'));
  const current = buildSchema(await read('../../schema.graphql'));
  const { acknowledged } = JSON.parse(await read('acknowledged.json')) as {
    acknowledged: string[];
  };
  const changes = [
    ...findBreakingChanges(released, current),
    ...findDangerousChanges(released, current).filter(
      // Additions are not breaking.
      ({ type }) => !/_ADDED/.test(type),
    ),
  ].map(({ type, description }) => `${type}: ${description}`);
  expect(changes.filter((change) => !acknowledged.includes(change))).toEqual([]);
});

it('has directives with locations of the specification of September 2025', () => {
  const unreleased = schema
    .getDirectives()
    .filter(({ locations }) => (locations as readonly string[]).includes('DIRECTIVE_DEFINITION'));
  expect(unreleased).toEqual([]);
  expect(schema.getDirective('deprecated')!.locations).toEqual([
    'ARGUMENT_DEFINITION',
    'ENUM_VALUE',
    'FIELD_DEFINITION',
    'INPUT_FIELD_DEFINITION',
  ]);
});

it('is printed without the backslashes of labels and of a team', () => {
  const query = new GraphQLObjectType({
    name: 'Query',
    description: String.raw`\\server\path """ end`,
    fields: { a: { type: GraphQLString, deprecationReason: String.raw`"\"` } },
  });
  const printed = printSortedSchema(new GraphQLSchema({ query }));
  expect(printed).toContain(`"""∖∖server∖path ''' end"""\ntype Query`);
  expect(buildSchema(printed).getQueryType()!.getFields()['a']!.deprecationReason).toBe(
    String.raw`"\"`,
  );
});

it('describes every element', () => {
  const silent: string[] = [];
  const note = (name: string, element: { description?: string | null | undefined }) => {
    if (!element.description?.trim()) silent.push(name);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    note(type.name, type);
    if (isEnumType(type)) {
      for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    }
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field);
      const args = 'args' in field ? field.args : [];
      for (const arg of args) note(`${type.name}.${field.name}(${arg.name})`, arg);
    }
  }
  expect(silent).toEqual([]);
});

it('names types, fields and values as GraphQL does', () => {
  const wrong: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (!/^[A-Z][A-Za-z]*$/.test(type.name)) wrong.push(type.name);
    if (isEnumType(type)) {
      for (const { name } of type.getValues()) if (!/^[A-Z][A-Z_]*$/.test(name)) wrong.push(name);
    }
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const { name } of Object.values(type.getFields())) {
      if (!/^[a-z][A-Za-z]*$/.test(name)) wrong.push(`${type.name}.${name}`);
    }
  }
  expect(wrong).toEqual([]);
});

// Compiled operations return enums and built-in scalars as resolvers return them.
it('has enums whose values are their names', () => {
  const other = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter((type) => !type.name.startsWith('__'))
    .flatMap((type) => type.getValues().filter(({ name, value }) => name !== value));
  expect(other).toEqual([]);
});
