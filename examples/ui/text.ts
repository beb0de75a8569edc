/** The names in braces in a message. */
type Parameter<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

export type LabelOf<Message extends string> = {
  [M in Message]: [Parameter<M>] extends [never] ? M : never;
}[Message];

export type TranslateTo<Message extends string> = <M extends Message>(
  message: M,
  ...parameters: [Parameter<M>] extends [never]
    ? []
    : [Readonly<Record<Parameter<M>, string | number>>]
) => string;

export function fill(
  text: string,
  parameters: Readonly<Record<string, string | number>> = {},
): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${parameters[name]}`);
}
