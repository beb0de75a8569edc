import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { TableValue } from './table-value.tsx';
import { TextValue } from './text-value.tsx';
import { useText } from '../../language/text.ts';

const recognitionEntryFragment = graphql(`
  fragment RecognitionEntry on RecoData {
    id
    form {
      name
    }
    validated
    pageIndexStart
    pageIndexEnd
    result {
      confidence
    }
    values {
      __typename
      tag
      ... on TextValue {
        text
      }
      ...TableValue
    }
  }
`);

interface RecognitionEntryProps {
  readonly entry: FragmentType<typeof recognitionEntryFragment>;
  /** Shows a page of the PDF, from 1. */
  readonly onShowPage: (page: number) => void;
}

/** The data of one recognition form. */
export function RecognitionEntry(props: RecognitionEntryProps) {
  const t = useText();
  const entry = useFragment(recognitionEntryFragment, props.entry);
  const { form, validated, pageIndexStart, pageIndexEnd, result, values } = entry;
  const firstPage = (pageIndexStart ?? 0) + 1;
  const lastPage = Math.max(firstPage, (pageIndexEnd ?? 0) + 1);
  return (
    <div className="stack-small">
      <h3>{form?.name ?? t('Recognized data')}</h3>
      <div className="row">
        <span className={`badge badge-${validated ? 'done' : 'paused'}`}>
          {t(validated ? 'Validated' : 'Not validated')}
        </span>
        {result?.confidence != null && (
          <span className="badge">
            {t('Confidence {percent} %', { percent: result.confidence })}
          </span>
        )}
        <button type="button" className="button" onClick={() => props.onShowPage(firstPage)}>
          {lastPage > firstPage
            ? t('Show pages {first} to {last}', { first: firstPage, last: lastPage })
            : t('Show page {page}', { page: firstPage })}
        </button>
      </div>
      <dl className="definition-list">
        {values.map(
          (value) =>
            value.__typename === 'TextValue' && (
              <TextValue
                key={value.tag}
                label={value.tag}
                type={null}
                text={value.text}
                object={undefined}
              />
            ),
        )}
      </dl>
      {values.map(
        (value) =>
          value.__typename === 'TableValue' && (
            <TableValue key={value.tag} table={value} label={value.tag} />
          ),
      )}
    </div>
  );
}
