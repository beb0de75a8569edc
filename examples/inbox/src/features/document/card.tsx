import type { DocumentNode } from 'graphql';
import type { ReactNode, Ref } from 'react';
import { useParams } from 'react-router';
import { InspectLink } from '../../../../ui/inspect-link.tsx';
import { useStore } from '../../../../ui/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';
import { operationOfFragment } from '../trace/operation.ts';
import { isDrawerOpen } from '../trace/trace.ts';

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly fragment: DocumentNode;
  readonly children: ReactNode;
}

export function Card({ id, title, headingRef, fragment, children }: CardProps) {
  return (
    <section className="card stack-small" aria-labelledby={`${id}-heading`}>
      <div className="card-head">
        <h2 id={`${id}-heading`} ref={headingRef} tabIndex={-1}>
          {title}
        </h2>
        <InspectFragment fragment={fragment} name={title} />
      </div>
      {children}
    </section>
  );
}

interface InspectFragmentProps {
  readonly fragment: DocumentNode;
  readonly name: string;
}

function InspectFragment({ fragment, name }: InspectFragmentProps) {
  const isOpen = useStore(isDrawerOpen);
  const texts = { t: useText(), language: useStore(currentLanguage) };
  const { personId } = useSessionState();
  const { id = '' } = useParams();
  if (!isOpen) return null;
  const operation = operationOfFragment(fragment, id);
  return <InspectLink operation={operation} name={name} personId={personId} texts={texts} />;
}
