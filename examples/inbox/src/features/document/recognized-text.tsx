import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';

export const recognizedTextFragment = graphql(`
  fragment RecognizedText on Document {
    id
    recognizedText {
      text
      totalCount
    }
  }
`);

interface RecognizedTextProps {
  readonly document: FragmentType<typeof recognizedTextFragment>;
}

export function RecognizedText(props: RecognizedTextProps) {
  const t = useText();
  const { recognizedText } = useFragment(recognizedTextFragment, props.document);
  if (!recognizedText?.text) return null;
  const pages = recognizedText.text.split('\f');
  return (
    <details className="recognized-text">
      <summary>
        <h3>{t('Recognized text')}</h3>
      </summary>
      {pages.map((text, index) => (
        <pre
          key={index}
          className="plain-text"
          tabIndex={0}
          aria-label={t('Page {page} of {count}', { page: index + 1, count: pages.length })}
        >
          {text}
        </pre>
      ))}
    </details>
  );
}
