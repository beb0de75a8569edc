import { useStore } from '../client/store.ts';
import { german } from './german.ts';
import { currentLanguage, type Language } from './language.ts';

/** A message of the user interface: its English text, with parameters in braces. */
type Message = keyof typeof german;

/** Names of the parameters of a message. */
type Parameter<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

/** A message without parameters, such as a label. */
export type Label = { [M in Message]: [Parameter<M>] extends [never] ? M : never }[Message];

/** Translates a message and fills in its parameters. */
export type Translate = <M extends Message>(
  message: M,
  ...parameters: [Parameter<M>] extends [never]
    ? []
    : [Readonly<Record<Parameter<M>, string | number>>]
) => string;

/** Translates between messages and one language. */
const translations: Readonly<Record<Language, Translate>> = {
  en: (message, ...[parameters]) => fill(message, parameters),
  de: (message, ...[parameters]) => fill(german[message], parameters),
};

function fill(text: string, parameters: Readonly<Record<string, string | number>> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${parameters[name]}`);
}

/** Returns the translation into the current language. The component renders again when the language changes. */
export function useText(): Translate {
  return translations[useStore(currentLanguage)];
}
