import type { DocumentNode } from 'graphql';
import { InspectLink } from '../../../../ui/inspect-link.tsx';
import { useStore } from '../../client/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { useSessionState } from '../session/session-context.tsx';
import { operationOfFragment } from './operation.ts';
import { isDrawerOpen } from './trace.ts';

interface InspectFragmentProps {
  /** What a part of the page shows of a document. */
  readonly fragment: DocumentNode;
  /** Short or full ID of the document. */
  readonly documentId: string;
  /** Name of the part, for screen readers. */
  readonly name: string;
}

/** Opens exactly what a part of the page shows in the playground. Only while the REST calls are shown. */
export function InspectFragment({ fragment, documentId, name }: InspectFragmentProps) {
  const isOpen = useStore(isDrawerOpen);
  const language = useStore(currentLanguage);
  const { personId } = useSessionState();
  if (!isOpen) return null;
  const operation = operationOfFragment(fragment, documentId);
  return <InspectLink operation={operation} name={name} personId={personId} language={language} />;
}
