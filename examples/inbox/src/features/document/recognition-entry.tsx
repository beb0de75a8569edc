import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { FieldValueFragment } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { fieldValueFragment } from '../fields/field-value.ts';
import type { FieldOf } from '../forms/form-fields.ts';
import type { RelatedObjects } from '../forms/related-objects.ts';
import { TableValue } from './table-value.tsx';
import { TextValue } from './text-value.tsx';

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
      ...FieldValue
    }
  }
`);

interface RecognitionEntryProps {
  readonly entry: FragmentType<typeof recognitionEntryFragment>;
  readonly fieldOf: FieldOf;
  readonly objects: RelatedObjects;
  readonly documentValues: readonly FieldValueFragment[];
  readonly onShowPage: (page: number) => void;
}

export function RecognitionEntry(props: RecognitionEntryProps) {
  const { fieldOf, objects, documentValues, onShowPage } = props;
  const t = useText();
  const entry = useFragment(recognitionEntryFragment, props.entry);
  const { form, validated, pageIndexStart, pageIndexEnd, result } = entry;
  const values = useFragment(fieldValueFragment, entry.values);
  const own = documentValues.map(contentOf);
  // The document refers to an object by its ID, and the page has its name.
  const names = new Set([...objects.values()].map(({ name }) => name));
  const others = values.filter(
    (value) =>
      !own.includes(contentOf(value)) &&
      !(value.__typename === 'TextValue' && names.has(value.text)),
  );
  const same = values.filter((value) => !others.includes(value));
  const different = others
    .filter(({ tag }) => documentValues.some((value) => value.tag === tag))
    .map(({ tag }) => fieldOf(tag).label);
  const firstPage = (pageIndexStart ?? 0) + 1;
  const lastPage = Math.max(firstPage, (pageIndexEnd ?? 0) + 1);
  return (
    <div className="stack-small">
      <h3>{form?.name ?? t('Recognized data')}</h3>
      <div className="row">
        <span className={`badge badge-${validated && different.length === 0 ? 'done' : 'paused'}`}>
          {t(validated ? 'Validated' : 'Not validated')}
        </span>
        {different.length > 0 && (
          <span className="badge badge-stopped">
            {t('Differs from the document: {labels}', { labels: different.join(', ') })}
          </span>
        )}
        {result?.confidence != null && (
          <span className="badge">
            {t('Confidence {percent} %', { percent: result.confidence })}
          </span>
        )}
        <button type="button" className="button" onClick={() => onShowPage(firstPage)}>
          {lastPage > firstPage
            ? t('Show pages {first} to {last}', { first: firstPage, last: lastPage })
            : t('Show page {page}', { page: firstPage })}
        </button>
      </div>
      {same.length > 0 && (
        <p className="muted">
          {t('The same as in the document: {labels}.', {
            labels: same.map(({ tag }) => fieldOf(tag).label).join(', '),
          })}
        </p>
      )}
      {others.length > 0 && <h4>{t('Other recognized values')}</h4>}
      <dl className="definition-list">
        {others.map(
          (value) =>
            value.__typename === 'TextValue' && (
              <TextValue
                key={value.tag}
                field={fieldOf(value.tag)}
                text={value.text}
                objects={objects}
              />
            ),
        )}
      </dl>
      {others.map(
        (value) =>
          value.__typename === 'TableValue' && (
            <TableValue
              key={value.tag}
              table={value}
              field={fieldOf(value.tag)}
              objects={objects}
            />
          ),
      )}
    </div>
  );
}

function contentOf({ __typename, ...content }: FieldValueFragment): string {
  return JSON.stringify(Object.entries(content).toSorted(([a], [b]) => a.localeCompare(b)));
}
