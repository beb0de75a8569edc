import type { DocumentNode } from 'graphql';
import { InspectLink } from '../../../../ui/inspect-link.tsx';
import { useStore } from '../../client/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { toQueryOfDocument } from './runnable-query.ts';
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
  if (!isOpen) return null;
  const query = toQueryOfDocument(fragment, documentId);
  return <InspectLink query={query} name={name} language={language} />;
}
