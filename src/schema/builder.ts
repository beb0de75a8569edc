import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { GatewayContext } from '../context.ts';
import type { RequirementOf } from '../model/document-requirements.ts';
import type { IncomingFile } from '../model/transfer.ts';
import type { FieldHints } from './selection/field-hints.ts';

declare global {
  // Pothos takes its field options from this namespace; what is added here can be given to any field.
  export namespace PothosSchemaTypes {
    // oxlint-disable-next-line no-unused-vars -- the parameters have to be those that Pothos declares
    interface FieldOptions<
      Types,
      ParentShape,
      Type,
      Nullable,
      Args,
      ResolveShape,
      ResolveReturnShape,
    > extends FieldHints<RequirementOf<ParentShape>> {}
  }
}

export interface SchemaTypes {
  Context: GatewayContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    ObjectID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    JSONObject: { Input: Record<string, unknown>; Output: object };
    URL: { Input: string; Output: string };
    Upload: { Input: IncomingFile; Output: never };
  };
}

const cursorNote = 'Opaque; null where the page is empty.';

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    cursorType: 'String',
    nodeQueryOptions: false, // node.ts has its own: one failing id must not take the others with it
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description: 'A thing that can be read again by its global id.',
      resolveType: (value) => nodeTypeName(value as object),
    },
    idFieldOptions: { description: 'The global id: opaque, and unique among all things.' },
    pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
    hasNextPageFieldOptions: {
      description:
        'Whether items follow this page. Where the DMS does not tell the total: whether the page is full.',
    },
    hasPreviousPageFieldOptions: { description: 'Whether items come before this page.' },
    startCursorFieldOptions: { description: `Cursor of the first item of the page. ${cursorNote}` },
    endCursorFieldOptions: { description: `Cursor of the last item of the page. ${cursorNote}` },
  },
});

const nodeTypes = new WeakMap<object, string>();

/** Remembers which type a value found by `node` has: the models carry no type name, and may be shared and frozen. */
export function rememberNodeType(value: object, typeName: string): void {
  nodeTypes.set(value, typeName);
}

function nodeTypeName(value: object): string | undefined {
  return nodeTypes.get(value);
}
