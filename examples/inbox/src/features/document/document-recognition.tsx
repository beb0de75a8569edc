import type { ReactNode } from 'react';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { fieldValueFragment } from '../fields/field-value.ts';
import { useFieldOf } from '../forms/form-fields.ts';
import { useRelatedObjects } from '../forms/related-objects.ts';
import { Card } from './card.tsx';
import { RecognitionEntry } from './recognition-entry.tsx';

const documentRecognitionFragment = graphql(`
  fragment DocumentRecognition on Document {
    id
    values {
      ...FieldValue
    }
    recoData {
      id
      ...RecognitionEntry
    }
    ...DeclaredForm
    ...DeclaredReferences
  }
`);

interface DocumentRecognitionProps {
  readonly document: FragmentType<typeof documentRecognitionFragment>;
  readonly onShowPage: (page: number) => void;
  readonly children: ReactNode;
}

export function DocumentRecognition(props: DocumentRecognitionProps) {
  const { onShowPage, children } = props;
  const t = useText();
  const document = useFragment(documentRecognitionFragment, props.document);
  const { recoData } = document;
  const values = useFragment(fieldValueFragment, document.values);
  const fieldOf = useFieldOf(document);
  const objects = useRelatedObjects(document);
  if (recoData.length === 0) return children;
  return (
    <Card id="recognition" title={t('Recognition')} fragment={documentRecognitionFragment}>
      {recoData.map((entry) => (
        <RecognitionEntry
          key={entry.id}
          entry={entry}
          fieldOf={fieldOf}
          objects={objects}
          documentValues={values}
          onShowPage={onShowPage}
        />
      ))}
      {children}
    </Card>
  );
}
