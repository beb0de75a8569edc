import { print, type ArgumentNode, type GraphQLResolveInfo } from 'graphql';
import type { GatewayContext, ParsedArguments } from '../../context.ts';
import type { DeclaredForms } from '../../model/form.ts';
import type { PlannedField } from './operation-plan.ts';

type Parse<Args, Input> = (args: Args, forms: DeclaredForms | null) => Input;

const texts = new WeakMap<readonly ArgumentNode[], string>();

function textOf(nodes: readonly ArgumentNode[] = []): string {
  let text = texts.get(nodes);
  if (text === undefined) {
    text = nodes.map(print).join();
    texts.set(nodes, text);
  }
  return text;
}

export function parseOnce(
  { node, parentType, hints: { parse } }: PlannedField,
  readArgs: () => unknown,
  parsed: ParsedArguments,
  forms: DeclaredForms | null,
): unknown {
  if (parse === undefined) return readArgs();
  // A field can be selected hundreds of times with the same variable, whose parsed value can be large.
  const text = `${parentType.name}.${node.name.value}(${textOf(node.arguments)})`;
  let known = parsed.get(text);
  if (known === undefined) {
    const input = parse(readArgs() as never, forms);
    known = { parse, typeName: parentType.name, variables: null, input };
    parsed.set(text, known);
  }
  parsed.set(node.arguments, known);
  return known.input;
}

/**
 * The arguments of the current field as its option `parse` has parsed them before the execution. If plugins could have
 * changed the variables since then, they are parsed once per execution, and those of a field of an interface whenever the
 * type of the object changes.
 */
export function parsedArgs<Args, Input>(
  parse: Parse<Args, Input>,
  args: Args,
  context: GatewayContext,
  info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'parentType' | 'variableValues'>,
): Input {
  const { parsedArguments, forms } = context;
  const typeName = info.parentType.name;
  const variables = info.variableValues;
  const nodes = info.fieldNodes[0]!.arguments;
  const known = parsedArguments.get(nodes);
  const isKnown =
    known?.parse === parse &&
    known.typeName === typeName &&
    (known.variables === null || known.variables === variables);
  if (isKnown) return known.input as Input;
  const input = parse(args, forms);
  parsedArguments.set(nodes, { parse, typeName, variables, input });
  return input;
}
