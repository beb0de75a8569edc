import { useStore } from '../../../ui/store.ts';
import { isTextOfApi, translateMessage } from '../language/gateway-messages.ts';
import { currentLanguage } from '../language/language.ts';
import { useText } from '../language/text.ts';

/**
 * A message of the gateway in the current language, or a text of the DMS as it is, which is marked as English. Nothing for a
 * text that only says something to developers.
 */
export function GatewayText({ text }: { readonly text: string }) {
  const language = useStore(currentLanguage);
  const translation = translateMessage(text, language);
  if (translation !== null) return translation;
  return isTextOfApi(text) ? null : <span lang="en">{text}</span>;
}

export function IssueText({ text }: { readonly text: string }) {
  const t = useText();
  const language = useStore(currentLanguage);
  const isKnown = translateMessage(text, language) !== null || !isTextOfApi(text);
  return isKnown ? <GatewayText text={text} /> : t('This value was not accepted.');
}
