import { useStore } from '../client/store.ts';
import { translateMessage } from '../language/gateway-messages.ts';
import { currentLanguage } from '../language/language.ts';

/** A message of the gateway in the current language, or a text of the DMS as it is, which is marked as English. */
export function GatewayText({ text }: { readonly text: string }) {
  const language = useStore(currentLanguage);
  return translateMessage(text, language) ?? <span lang="en">{text}</span>;
}
