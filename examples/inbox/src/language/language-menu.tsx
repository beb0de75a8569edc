import { useStore } from '../../../ui/store.ts';
import { currentLanguage, languages, setLanguage, type Language } from './language.ts';
import { useText } from './text.ts';

export function LanguageMenu() {
  const t = useText();
  const language = useStore(currentLanguage);
  return (
    <select
      className="language-menu"
      aria-label={t('Language')}
      value={language}
      onChange={(event) => setLanguage(event.currentTarget.value as Language)}
    >
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
