import type { FieldRef, InputObjectRef } from '@pothos/core';
import type { GatewayContext } from '../context.ts';
import type { FileUpload } from '../model/document.ts';
import type { RequirementOf } from '../model/document-requirements.ts';
import { hintsPlugin } from './hints-plugin.ts';
import { RelayPlugin, SchemaBuilder } from './libraries.ts';
import type { FieldHints } from './plan/operation-plan.ts';

declare global {
  // Pothos takes its field options from this namespace. Properties that are added here are options of every field.
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

/**
 * The types of a team's own scalars, by name. A team declares them:
 *
 *     declare module 'dms-graphql-gateway' {
 *       interface TeamScalars {
 *         Money: { Input: string; Output: string };
 *       }
 *     }
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- teams add properties
export interface TeamScalars {}

export interface SchemaTypes {
  Context: GatewayContext;
  DefaultFieldNullability: false;
  // Pothos takes no interface here.
  Scalars: { [N in keyof TeamScalars]: TeamScalars[N] } & {
    ID: { Input: string; Output: string };
    ObjectID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    JSONObject: { Input: Record<string, unknown>; Output: object };
    URL: { Input: string; Output: string };
    Upload: { Input: Promise<FileUpload>; Output: never };
  };
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

export type InputRef<T extends object> = InputObjectRef<Types, T>;

export type ObjectFieldBuilder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

export type OutputField<T> = FieldRef<Types, T>;

interface PlainTypes {
  readonly String: string;
  readonly Int: number;
  readonly Boolean: boolean;
  readonly ObjectID: string;
  readonly DateTime: string;
}

type Descriptions<Shape, Type extends keyof PlainTypes, Name = keyof Shape> = {
  readonly [
    N in keyof Shape as Shape[N] extends PlainTypes[Type] | null | undefined ? N & Name : never
  ]?: string;
};

export function plainFields<Shape, Type extends keyof PlainTypes>(
  t: ObjectFieldBuilder<Shape>,
  type: Type,
  descriptions: Descriptions<Shape, Type>,
  hintsOf: (name: string) => FieldHints = () => ({}),
): Record<string, OutputField<unknown>> {
  // Pothos cannot resolve the properties of a generic object.
  const fields = t as unknown as ObjectFieldBuilder<Record<string, never>>;
  const options = (name: string, description: unknown) =>
    ({ type, nullable: true, description, ...hintsOf(name) }) as never;
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      fields.expose(name, options(name, description)),
    ]),
  );
}

export function projectedFields<Shape, Type extends keyof PlainTypes>(
  t: ObjectFieldBuilder<Shape>,
  type: Type,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- empty for an unknown `Shape` only
  descriptions: Descriptions<Shape, Type, RequirementOf<Shape>>,
): Record<string, OutputField<unknown>> {
  return plainFields(t, type, descriptions as never, (name) => ({ requires: [name] }));
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const globalIdDescription =
  'Global ID: opaque and unique across all types. Use it as a cache key and with `node`.';

const cursorNote =
  'Null if the page is empty, unless it consists of items that the user cannot see.';

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin, hintsPlugin],
  defaultFieldNullability: false,
  relay: {
    cursorType: 'String',
    nodeQueryOptions: false, // node.ts defines them, so that one failing ID does not affect the others
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description: 'An object that can be fetched by its global ID.',
      resolveType: (value) => nodeTypes.get(value as object),
    },
    idFieldOptions: { description: globalIdDescription },
    pageInfoTypeOptions: { description: 'Position of a page within its list.' },
    hasNextPageFieldOptions: {
      description:
        'Whether there are items after this page. A page can be short or empty although others follow, because the DMS leaves out items that the user cannot see. If the DMS does not report a total count, true if the page is full.',
    },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before this page.' },
    startCursorFieldOptions: {
      description: `Cursor of the first item. To read the previous page, pass it as \`before\` together with \`last\`. ${cursorNote}`,
    },
    endCursorFieldOptions: {
      description: `Cursor of the last item. To read the next page, pass it as \`after\` together with \`first\`. ${cursorNote}`,
    },
  },
});

const nodeTypes = new WeakMap<object, string>();

/**
 * Records the type of a value that `node` has loaded. Model objects have no type name, and can be shared and frozen.
 */
export function rememberNodeType(value: object, typeName: string): void {
  nodeTypes.set(value, typeName);
}
