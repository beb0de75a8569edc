import type { DocumentNode } from 'graphql';
import { InspectLink } from '../../../../ui/inspect-link.tsx';
import { useStore } from '../../client/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { useSessionState } from '../session/session-context.tsx';
import { operationOfFragment } from './operation.ts';
import { isDrawerOpen } from './trace.ts';

interface InspectFragmentProps {
  readonly fragment: DocumentNode;
  readonly documentId: string;
  readonly name: string;
}

export function InspectFragment({ fragment, documentId, name }: InspectFragmentProps) {
  const isOpen = useStore(isDrawerOpen);
  const language = useStore(currentLanguage);
  const { personId } = useSessionState();
  if (!isOpen) return null;
  const operation = operationOfFragment(fragment, documentId);
  return <InspectLink operation={operation} name={name} personId={personId} language={language} />;
}
