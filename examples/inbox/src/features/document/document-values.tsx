import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { currencyOf } from '../../domain/document.ts';
import { differenceOf } from '../../domain/table-sums.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { isNumber, useFormat, useLocale } from '../../language/format.ts';
import { editableValue } from '../../language/reading.ts';
import { useText } from '../../language/text.ts';
import type { ReviewState } from '../actions/use-review.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { fieldValueFragment } from '../fields/field-value.ts';
import { tagsTag } from '../fields/field-values.ts';
import { noAttempt, useValueControls } from '../fields/value-fields.tsx';
import { useFieldOf } from '../forms/form-fields.ts';
import { useRelatedObjects } from '../forms/related-objects.ts';
import { Card } from './card.tsx';
import { TableValue } from './table-value.tsx';
import { TextValue } from './text-value.tsx';

const documentValuesFragment = graphql(`
  fragment DocumentValues on Document {
    id
    values {
      ...FieldValue
    }
    recoData {
      id
      values {
        ...FieldValue
      }
    }
    ...DeclaredForm
    ...DeclaredReferences
  }
`);

interface DocumentValuesProps {
  readonly document: FragmentType<typeof documentValuesFragment>;
  /** What the user has entered. Null: the values cannot be edited. */
  readonly review: (ReviewState & { readonly onDone: () => void }) | null;
}

const closed = { tag: null, row: 0, column: 0 };

export function DocumentValues({ review, ...props }: DocumentValuesProps) {
  const t = useText();
  const format = useFormat();
  const locale = useLocale();
  const document = useFragment(documentValuesFragment, props.document);
  const values = useFragment(fieldValueFragment, document.values);
  const recognized = useFragment(
    fieldValueFragment,
    document.recoData.flatMap((entry) => entry.values),
  );
  const fieldOf = useFieldOf(document);
  const objects = useRelatedObjects(document);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<{ tag: string | null; row: number; column: number }>(closed);
  const isOpen = (tag: string): boolean =>
    review !== null && (open.tag === tag || review.changed.has(tag));
  const shownFields = review?.fields.filter(({ tag }) => isOpen(tag)) ?? [];
  const controlOf = useValueControls({
    fields: shownFields,
    texts: review?.texts ?? new Map(),
    onChange: (tag, text) => review?.setText(tag, text),
    attempt: review?.attempt ?? noAttempt,
    objects,
  });
  useEffect(() => {
    if (open.tag === null) return;
    const box = list.current?.querySelector(`[data-tag="${CSS.escape(open.tag)}"]`);
    const cell = box?.querySelectorAll('tbody tr')[open.row]?.children[open.column];
    const input = (cell ?? box)?.querySelector<HTMLInputElement>('input, select');
    input?.focus();
    input?.select?.();
  }, [open]);
  const texts = values.filter((value) => value.__typename === 'TextValue');
  const tables = values.filter((value) => value.__typename === 'TableValue');
  const textOf = (tag: string): string | null =>
    texts.find((value) => value.tag === tag)?.text ?? null;
  // The total of an invoice of the sandbox is in the currency beside it.
  const currency = review?.changed.has('currency')
    ? (review.fields[0]?.currency ?? null)
    : currencyOf(objects.get(textOf('currency') ?? ''));
  if (values.length === 0) return null;

  const press = (event: KeyboardEvent<HTMLElement>, { tag, type }: FieldDefinition): void => {
    if (!review || event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return;
    const isDone = event.key === 'Enter' && type !== 'table';
    if (!isDone && event.key !== 'Escape') return;
    event.preventDefault();
    // In a table, it would discard every cell that was entered.
    if (!isDone && type !== 'table') review.setText(tag, review.before.get(tag) ?? '');
    review.onDone();
  };
  const editing = (field: FieldDefinition): ReactNode => {
    const mark = review?.changed.has(field.tag) && (
      <span className="badge badge-active">{t('Changed')}</span>
    );
    return (
      // The keys are those of the control in it.
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
      <div
        key={field.tag}
        data-tag={field.tag}
        className={`value-row value-edited ${review?.changed.has(field.tag) ? 'value-changed' : ''}`}
        onKeyDown={(event) => press(event, field)}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (currentTarget.contains(relatedTarget)) return;
          setOpen((now) => (now.tag === field.tag ? closed : now)); // another one can be open already
        }}
      >
        {field.type === 'table' ? (
          <>
            {controlOf(field)} {mark}
          </>
        ) : (
          <>
            <dt>
              {field.label} {mark}
            </dt>
            <dd>{controlOf(field)}</dd>
          </>
        )}
      </div>
    );
  };
  const editButton = ({ tag, label }: FieldDefinition): ReactNode =>
    review?.before.has(tag) && (
      <button
        type="button"
        className="value-edit"
        aria-label={t('Change {label}', { label })}
        onClick={(event) => setOpen({ tag, ...cellAt(event) })}
      >
        <Icon name="edit" />
      </button>
    );
  const recognizedOf = (tag: string, text: string): string | null => {
    const value = recognized.find((one) => one.tag === tag);
    if (value?.__typename !== 'TextValue') return null;
    const isSame =
      isNumber(text) && isNumber(value.text)
        ? differenceOf(text, value.text) === null
        : text.trim() === value.text.trim();
    return isSame ? null : value.text;
  };
  const warning = (field: FieldDefinition, text: string): ReactNode => {
    const other = recognizedOf(field.tag, text);
    if (other === null) return null;
    const isAmount = field.type === 'number';
    return (
      <p className="row small warning">
        <Icon name="warning" />
        {t('The file says {text}.', {
          text: isAmount ? format.number(other, currency) : other,
        })}
        {review?.before.has(field.tag) && (
          <button
            type="button"
            className="button"
            onClick={() => review.setText(field.tag, editableValue(field, other, locale))}
          >
            {t('Use it')}
          </button>
        )}
      </p>
    );
  };
  const tags = review?.before.get(tagsTag);
  const lines = [...texts, ...(tags === undefined ? [] : [{ tag: tagsTag, text: tags }])];
  return (
    <Card id="values" title={t('Values')} fragment={documentValuesFragment}>
      <div ref={list} className="stack-small">
        <dl className="definition-list">
          {lines.map(({ tag, text }) => {
            const field = review?.fields.find((one) => one.tag === tag) ?? fieldOf(tag);
            if (isOpen(tag)) return editing(field);
            const shown = tag === tagsTag ? { ...field, label: t('Tags') } : field;
            return (
              <TextValue
                key={tag}
                field={shown}
                text={text}
                objects={objects}
                currency={tag === 'total' ? currency : null}
              >
                {warning(shown, text)}
                {editButton(shown)}
              </TextValue>
            );
          })}
        </dl>
        {tables.map((table) => {
          const field = fieldOf(table.tag);
          const edited = review?.fields.find(({ tag }) => tag === table.tag);
          if (edited && isOpen(table.tag)) return editing(edited);
          return (
            <div key={table.tag} className="value-table">
              <TableValue
                table={table}
                field={field}
                objects={objects}
                otherValue={(tag) => {
                  const text = textOf(tag);
                  return text === null ? null : { label: fieldOf(tag).label, text };
                }}
              />
              {editButton(field)}
            </div>
          );
        })}
      </div>
    </Card>
  );
}

function cellAt({ clientX, clientY }: MouseEvent) {
  const below = document.elementsFromPoint(clientX, clientY);
  const cell = below.find((element) => element instanceof HTMLTableCellElement);
  const row = cell?.parentElement;
  const rows = [...(cell?.closest('table')?.querySelectorAll('tbody tr') ?? [])];
  return { row: Math.max(0, row ? rows.indexOf(row) : 0), column: cell?.cellIndex ?? 0 };
}
