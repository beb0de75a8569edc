import { GraphQLID, Kind, type ValueNode } from 'graphql';
import { canonicalId, isFullId } from '../model/resource.ts';
import { builder, plainFields } from './builder.ts';
import { createGraphQLError } from './graphql-error.ts';
import { MetaRef, TranslationRef } from './refs.ts';
import { GraphQLUpload } from './libraries.ts';

const passThrough = (value: unknown): unknown => value;

// A schema can have only this one type `ID`, so its functions are replaced. In variables, `JSON.parse` has rounded a
// number beyond 2^53, which would be the ID of another object. In a query it is rejected, too, so that both agree.
const { parseValue: parseId, parseLiteral: parseIdLiteral } = GraphQLID;
GraphQLID.parseValue = (value) => {
  checkIdNumber(value);
  return parseId(value);
};
GraphQLID.parseLiteral = (node, variables) => {
  if (node.kind === Kind.INT) checkIdNumber(Number(node.value), node);
  return parseIdLiteral(node, variables);
};

function checkIdNumber(value: unknown, nodes: ValueNode | null = null): void {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
  const message = 'An ID beyond 2^53 must be a string: as a number, it would lose digits.';
  throw createGraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } });
}

builder.scalarType('ObjectID', {
  description:
    'Full ID of an object in the DMS: 24 hexadecimal characters, such as `65f000005eed00d000000001`.',
  serialize: passThrough,
  parseValue: (value) => {
    if (typeof value === 'string' && isFullId(value)) return canonicalId(value);
    throw createGraphQLError('An ObjectID must be 24 hexadecimal characters.');
  },
});

builder.scalarType('DateTime', {
  description: 'ISO 8601 timestamp in UTC, such as `2026-03-01T09:30:00.000Z`.',
  serialize: passThrough,
  parseValue: (value) => {
    // The text is checked by the mutation that takes it, so that the issue has a path.
    if (typeof value === 'string') return value;
    throw createGraphQLError('A DateTime must be a string, such as `2026-03-01T09:30:00.000Z`.');
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value: an object, list, string, number, boolean or null.',
  serialize: passThrough,
});

builder.scalarType('JSONObject', {
  description: 'JSON object with arbitrary keys.',
  serialize: passThrough,
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    throw createGraphQLError('A JSONObject must be a JSON object.');
  },
});

builder.scalarType('URL', {
  description:
    'Absolute URL, such as `https://gateway.example/files/documents/65f000005eed00d000000001/pdf`.',
  serialize: passThrough,
});

// Its value is a promise of a `FileUpload`.
builder.addScalarType('Upload', GraphQLUpload, {
  description:
    'File to upload. Send a `multipart/form-data` request according to the GraphQL multipart request specification: the variable is null, and `map` assigns a file to it.',
});

MetaRef.implement({
  description: 'Creation time, modification time and revision of an object.',
  fields: (t) => ({
    ...plainFields(t, 'DateTime', {
      createdAt:
        'When the DMS stored the object. To show and sort documents by date, use `dateCreated`.',
      modifiedAt: 'When the object was last changed.',
    }),
    ...plainFields(t, 'Int', {
      revision:
        'Revision number, which increases with each change. For a document, pass it as `expectedRevision` to detect concurrent changes.',
    }),
  }),
});

TranslationRef.implement({
  description: 'A text in one language.',
  fields: (t) => ({
    language: t.exposeString('language', {
      description: 'Language code, such as `en`. Empty for a text without a language.',
    }),
    text: t.exposeString('text', { description: 'The text in that language.' }),
  }),
});
