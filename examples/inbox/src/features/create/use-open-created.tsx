import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';
import type { NavigationState } from '../../components/navigation-notice.tsx';
import { useText } from '../../language/text.ts';
import type { CreatedDocument } from './use-create-document.ts';

export function useOpenCreated(): (created: CreatedDocument) => Promise<void> {
  const t = useText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  return async ({ documentId, workflowError }) => {
    const text = t('The document {document} was created.', { document: documentId });
    const notice: Explanation =
      workflowError === null
        ? { text }
        : { text: `${text} ${t('The action failed:')}`, detail: workflowError };
    announce(<ExplanationText {...notice} />);
    const state: NavigationState = { notice };
    await navigate(`/app/documents/${encodeURIComponent(documentId)}`, { state });
  };
}
