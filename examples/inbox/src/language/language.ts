import { readStorage, writeStorage } from '../../../ui/storage.ts';
import { createStore } from '../../../ui/store.ts';

export type Language = 'en' | 'de';

export const languages: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const storageKey = 'inbox.language';

export const currentLanguage = createStore<Language>(initialLanguage());

export function setLanguage(language: Language): void {
  writeStorage('localStorage', storageKey, language);
  currentLanguage.set(language);
  markDocument();
}

export function markDocument(): void {
  document.documentElement.lang = currentLanguage.get();
}

export function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

/** Returns the text in a language, or else in the default one of the DMS. Null without a text. */
export function textIn(
  translations: readonly { readonly language: string; readonly text: string }[] | undefined,
  language: Language,
): string | null {
  const text = translations?.find((one) => one.language === language) ?? translations?.[0];
  return text?.text ?? null;
}

function initialLanguage(): Language {
  const candidates = [readStorage('localStorage', storageKey), ...navigator.languages];
  const known = candidates.map((tag) => tag?.split('-')[0]).find(isLanguage);
  return known ?? 'en';
}

function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(languages, text);
}
