import type { DocumentNode } from 'graphql';
import type { ReactNode, Ref } from 'react';
import { InspectFragment } from '../trace/inspect-fragment.tsx';

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly fragment: DocumentNode;
  readonly documentId: string;
  readonly children: ReactNode;
}

export function Card({ id, title, headingRef, fragment, documentId, children }: CardProps) {
  return (
    <section className="card stack-small" aria-labelledby={`${id}-heading`}>
      <div className="card-head">
        <h2 id={`${id}-heading`} ref={headingRef} tabIndex={-1}>
          {title}
        </h2>
        <InspectFragment fragment={fragment} documentId={documentId} name={title} />
      </div>
      {children}
    </section>
  );
}
