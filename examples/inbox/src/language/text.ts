import { useStore } from '../client/store.ts';
import { german } from './german.ts';
import { currentLanguage, type Language } from './language.ts';

type Message = keyof typeof german;

type Parameter<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

export type Label = { [M in Message]: [Parameter<M>] extends [never] ? M : never }[Message];

export type Translate = <M extends Message>(
  message: M,
  ...parameters: [Parameter<M>] extends [never]
    ? []
    : [Readonly<Record<Parameter<M>, string | number>>]
) => string;

const translations: Readonly<Record<Language, Translate>> = {
  en: (message, ...[parameters]) => fill(message, parameters),
  de: (message, ...[parameters]) => fill(german[message], parameters),
};

function fill(text: string, parameters: Readonly<Record<string, string | number>> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${parameters[name]}`);
}

export function useText(): Translate {
  return translations[useStore(currentLanguage)];
}
