import { isFullId } from '../model/id.ts';
import type { IncomingFile } from '../model/transfer.ts';
import { builder } from './builder.ts';
import { createGraphQLError } from './graphql-error.ts';

/** These values come checked from the REST client and go out as they are. */
const passThrough = (value: unknown): unknown => value;

builder.scalarType('ObjectID', {
  description: '24 hexadecimal characters: a full id of the DMS.',
  serialize: passThrough,
  parseValue: (value) => {
    if (typeof value === 'string' && isFullId(value)) return value;
    throw createGraphQLError('An ObjectID is 24 hexadecimal characters.');
  },
});

builder.scalarType('DateTime', {
  description: 'ISO 8601 UTC timestamp, such as `2026-03-01T09:30:00.000Z`.',
  serialize: passThrough,
  parseValue: (value) => {
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
    throw createGraphQLError('A DateTime is an ISO 8601 timestamp.');
  },
});

builder.scalarType('JSON', { description: 'Any JSON value.', serialize: passThrough });

builder.scalarType('JSONObject', {
  description: 'A JSON object.',
  serialize: passThrough,
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    throw createGraphQLError('A JSONObject is a JSON object.');
  },
});

builder.scalarType('URL', {
  description: 'An absolute address.',
  serialize: passThrough,
});

builder.scalarType('Upload', {
  description:
    'A file of the GraphQL multipart request specification: null in the variables, and mapped to a part of the request.',
  serialize: () => {
    throw createGraphQLError('An Upload is an input only.');
  },
  parseValue: (value) => {
    if (isIncomingFile(value)) return value;
    throw createGraphQLError(
      'An Upload is a file of a multipart request, mapped to this variable.',
    );
  },
});

/** JSON holds no promise: only the parser of multipart requests can have put one there. */
function isIncomingFile(value: unknown): value is IncomingFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'promise' in value &&
    value.promise instanceof Promise
  );
}
