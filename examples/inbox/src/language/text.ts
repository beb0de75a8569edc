import { useStore } from '../../../ui/store.ts';
import { fill, type LabelOf, type TranslateTo } from '../../../ui/text.ts';
import { german } from './german.ts';
import { currentLanguage, type Language } from './language.ts';

type Message = keyof typeof german;

export type Label = LabelOf<Message>;

export type Translate = TranslateTo<Message>;

const translations: Readonly<Record<Language, Translate>> = {
  en: (message, ...[parameters]) => fill(message, parameters),
  de: (message, ...[parameters]) => fill(german[message], parameters),
};

export function useText(): Translate {
  return translations[useStore(currentLanguage)];
}
