import type { ObjectRef } from '@pothos/core';
import type { GatewayContext } from '../../context.ts';
import { resources, type NodeType } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/common.ts';
import { builder, capitalized, type InputRef, type Types } from '../builder.ts';
import type { ObjectOf } from '../related-objects.ts';
import { checkInput, type InputCheck } from './input-check.ts';
import { mutationErrorFrom, resultUnion, type MutationError } from './mutation-error.ts';

/** A type of the table of resources whose loader can be primed with one object. */
type WritableType = Exclude<NodeType, 'Document' | 'Form'>;

/** A mutation that writes one object of a resource and returns it. */
interface ResourceMutation<T extends WritableType, Input extends object, Change> {
  readonly ref: ObjectRef<Types, object>;
  readonly input: InputRef<Input>;
  readonly descriptions: {
    readonly mutation: string;
    readonly input: string;
    /** Of the object in the payload. */
    readonly object: string;
  };
  /** Names the object in messages, at the start of a sentence: `The unit`. */
  readonly what: string;
  /** Validates the input and translates it. */
  readonly check: (check: InputCheck, input: Input) => Change;
  readonly write: (
    dms: GatewayContext['dms'],
    change: Change,
  ) => Promise<WriteOutcome<ObjectOf<T>>>;
}

interface Payload {
  readonly __typename: string;
  readonly object: object;
}

/**
 * Defines a mutation with its payload and result types. Nothing is sent for an invalid input. After the write the
 * loaders are empty apart from the written object.
 *
 * @param name of the mutation, with which the names of its types begin
 */
export function defineResourceMutation<T extends WritableType, Input extends object, Change>(
  type: T,
  name: string,
  { ref, input, descriptions, what, check, write }: ResourceMutation<T, Input, Change>,
): void {
  const { one, key } = resources[type];
  const inputRef: InputRef<object> = input;
  const payloadName = `${capitalized(name)}Payload`;
  const PayloadRef = builder.objectRef<Payload>(payloadName).implement({
    description: `Returned if \`${name}\` succeeds.`,
    fields: (t) => ({
      [one]: t.field({
        type: ref,
        description: descriptions.object,
        resolve: ({ object }) => object,
      }),
    }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: resultUnion(name, PayloadRef),
      args: {
        input: t.arg({
          type: inputRef,
          required: true,
          description: descriptions.input,
        }),
      },
      description: descriptions.mutation,
      resolve: async (_root, args, { dms, loaders }): Promise<Payload | MutationError> => {
        const checked = checkInput((inputCheck) => check(inputCheck, args.input as Input));
        if ('failure' in checked) return checked.failure;
        const result = await write(dms, checked.value);
        if (result.outcome !== 'done') return mutationErrorFrom(result, what);
        loaders.clear();
        const { value } = result;
        loaders[one].prime((value as Record<string, string>)[key]!, value as never);
        return { __typename: payloadName, object: value };
      },
    }),
  );
}
