import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { WriteOutcome } from '../../model/common.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { resources, type NodeType } from '../../model/resource.ts';
import {
  builder,
  capitalized,
  type InputRef,
  type ObjectFieldBuilder,
  type OutputField,
  type Types,
} from '../builder.ts';
import type { ObjectOf } from '../../model/resource.ts';
import { checkInput, type InputCheck } from './input-check.ts';
import { mutationErrorFrom, mutationErrorRefs, type MutationError } from './mutation-error.ts';

interface Mutation<Input extends object, Payload extends object, OtherError extends object> {
  readonly input: InputRef<Input>;
  readonly descriptions: { readonly mutation: string; readonly input: string };
  readonly calls?: (input: Input, forms: DeclaredForms | null) => number;
  readonly fields: (t: ObjectFieldBuilder<Payload>) => Record<string, OutputField<unknown>>;
  readonly otherErrors?: readonly ObjectRef<Types, OtherError>[];
  readonly resolve: (
    input: Input,
    context: GatewayContext,
    info: GraphQLResolveInfo,
  ) => Result<Payload, OtherError> | Promise<Result<Payload, OtherError>>;
}

type Result<Payload, OtherError> = Payload | OtherError | MutationError;

export function defineMutation<
  Input extends object,
  Payload extends object,
  OtherError extends object = never,
>(
  name: string,
  {
    input,
    descriptions,
    calls = () => 1,
    fields,
    otherErrors = [],
    resolve,
  }: Mutation<Input, Payload, OtherError>,
) {
  const typeName = capitalized(name);
  const payloadRef = builder.objectRef<Payload>(`${typeName}Payload`).implement({
    description: `Returned if \`${name}\` succeeds.`,
    fields: (t) => fields(t as never),
  });
  const resultRef = builder.unionType(`${typeName}Result`, {
    description: `The result of \`${name}\`.`,
    types: [payloadRef, ...mutationErrorRefs, ...otherErrors],
    resolveType: (result: { readonly __typename?: string }) =>
      result.__typename ?? `${typeName}Payload`,
  });
  const inputRef: InputRef<object> = input;
  builder.mutationField(name, (t) =>
    t.field({
      type: resultRef,
      args: { input: t.arg({ type: inputRef, required: true, description: descriptions.input }) },
      cost: (args: { input: Input }, forms) => ({
        calls: calls(args.input, forms),
        certain: [name],
      }),
      description: descriptions.mutation,
      resolve: (_root, args, context, info) => resolve(args.input as Input, context, info) as never,
    }),
  );
  return resultRef;
}

type WritableType = Exclude<NodeType, 'Document' | 'Form'>;

interface ResourceMutation<T extends WritableType, Input extends object, Change> {
  readonly ref: ObjectRef<Types, object>;
  readonly input: InputRef<Input>;
  readonly descriptions: Mutation<Input, object, never>['descriptions'] & {
    readonly object: string;
  };
  readonly what: string;
  readonly check: (check: InputCheck, input: Input) => Change;
  readonly write: (
    dms: GatewayContext['dms'],
    change: Change,
    loaders: GatewayContext['loaders'],
  ) => Promise<WriteOutcome<ObjectOf<T>> | MutationError>;
  readonly calls?: (input: Input) => number;
}

export function defineResourceMutation<T extends WritableType, Input extends object, Change>(
  type: T,
  name: string,
  { ref, input, descriptions, what, check, write, calls }: ResourceMutation<T, Input, Change>,
): void {
  const { one, key } = resources[type];
  defineMutation<Input, { readonly object: object }>(name, {
    input,
    descriptions,
    ...(calls && { calls }),
    fields: (t) => ({
      [one]: t.field({
        type: ref,
        description: descriptions.object,
        resolve: ({ object }) => object,
      }),
    }),
    async resolve(given, { dms, loaders }) {
      const checked = checkInput((inputCheck) => check(inputCheck, given));
      if ('failure' in checked) return checked.failure;
      const result = await write(dms, checked.value, loaders);
      if ('__typename' in result) return result;
      if (result.outcome !== 'done') return mutationErrorFrom(result, what);
      loaders.clear();
      const { value } = result;
      loaders[one].prime((value as Record<string, string>)[key]!, value as never);
      return { object: value };
    },
  });
}
