import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useText } from '../../language/text.ts';
import type { CreatedDocument } from './use-create-document.ts';

/** Returns a function that opens a new document, with a notice that it was created. */
export function useOpenCreated(): (created: CreatedDocument) => Promise<void> {
  const t = useText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  return async ({ documentId, workflowError }) => {
    const done = t('The document {document} was created.', { document: documentId });
    const notice =
      workflowError === null
        ? done
        : `${done} ${t('The action failed: {reason}', { reason: workflowError })}`;
    announce(notice);
    await navigate(`/app/documents/${encodeURIComponent(documentId)}`, { state: { notice } });
  };
}
