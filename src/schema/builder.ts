import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { GatewayContext } from '../context.ts';
import type { IncomingFile } from '../model/transfer.ts';

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
    > {
      /**
       * The properties that the field reads of a Document, RecoData, RecoResult or DocumentResponse,
       * relative to its type; from them comes the smallest request (`projection.ts`).
       */
      needs?: readonly string[] | ((args: Record<string, unknown>) => readonly string[]);
      /** The prefix under which what is selected below this field belongs to the same request. */
      needsWithin?: string;
      /** Set on a field that the key alone answers: a thing of which nothing else is selected costs no request. */
      keyOnly?: true;
      /**
       * Looked at before the operation starts: throws what is wrong with the arguments, and tells what their
       * values will cost (`calls`, upstream) and how many things they ask for (`items`).
       */
      plan?: (args: never) => { items?: number; calls?: number };
      /** Set on a field that costs an upstream request for each of its parents, unless only keys are selected. */
      reads?: true;
    }
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
