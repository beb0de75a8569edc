import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext, ParsedArguments } from '../../context.ts';
import type { DeclaredForms } from '../../model/form.ts';
import type { PlannedField } from './operation-plan.ts';

/** Parses the arguments of a field. @throws BAD_USER_INPUT */
type Parse<Args, Input> = (args: Args, forms: DeclaredForms | null) => Input;

/** Adds the arguments of a field to those that are parsed, unless they are among them, and returns the result. */
export function parseOnce(
  { node, hints: { parse } }: PlannedField,
  readArgs: () => unknown,
  parsed: ParsedArguments,
  forms: DeclaredForms | null,
): unknown {
  if (parse === undefined) return readArgs();
  const known = parsed.get(node.arguments);
  if (known?.parse === parse) return known.input;
  const input = parse(readArgs() as never, forms);
  parsed.set(node.arguments, { parse, input });
  return input;
}

/**
 * The arguments of the current field as its option `parse` has parsed them before the execution. They are parsed now if
 * plugins could have changed the operation since then.
 */
export function parsedArgs<Args, Input>(
  parse: Parse<Args, Input>,
  args: Args,
  context: GatewayContext,
  { fieldNodes: [node] }: Pick<GraphQLResolveInfo, 'fieldNodes'>,
): Input {
  const known = context.parsedArguments.get(node!.arguments);
  return known?.parse === parse ? (known.input as Input) : parse(args, context.forms);
}
