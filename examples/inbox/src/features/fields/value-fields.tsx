import { useState, type ReactNode } from 'react';
import { parseTable } from '../../domain/table-text.ts';
import { issueAt, type Issues } from '../actions/mutation-problem.tsx';
import { IssueText } from '../../components/gateway-text.tsx';
import type { RelatedObjects } from '../forms/related-objects.ts';
import type { FieldDefinition } from './field-definition.ts';
import { cellIssueAt, useCheckTexts, type Texts } from './field-values.ts';
import { useListOptions } from './use-list-options.ts';
import { ValueControl } from './value-control.tsx';

export interface FieldsAttempt {
  readonly ownIssues: ReadonlyMap<string, string>;
  readonly issues: Issues;
  readonly texts: Texts;
  readonly paths: ReadonlyMap<string, string>;
}

export const noAttempt: FieldsAttempt = {
  ownIssues: new Map(),
  issues: new Map(),
  texts: new Map(),
  paths: new Map(),
};

interface ValueControlsOptions {
  readonly fields: readonly FieldDefinition[];
  readonly texts: Texts;
  readonly onChange: (tag: string, text: string) => void;
  readonly attempt: FieldsAttempt;
  readonly objects?: RelatedObjects;
}

export function useValueControls(options: ValueControlsOptions) {
  const { fields, texts, onChange, attempt, objects } = options;
  const listOptions = useListOptions(fields);
  /** Tags of the fields that the user has left: what is not finished is not wrong. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const current = useCheckTexts()(fields, texts);
  const pathOf = (tag: string): string | undefined =>
    texts.get(tag) === attempt.texts.get(tag) ? attempt.paths.get(tag) : undefined;
  const issueOf = ({ tag, type }: FieldDefinition): ReactNode => {
    const own = left.has(tag) || attempt.ownIssues.has(tag) ? current.get(tag) : undefined;
    if (own !== undefined) return own;
    const path = pathOf(tag);
    if (path === undefined) return undefined;
    if (type !== 'table') return issueAt(attempt.issues, path);
    const message = attempt.issues.get(path);
    return message && <IssueText text={message} />;
  };
  const cellIssue =
    ({ tag }: FieldDefinition) =>
    (row: number, column: string): ReactNode => {
      const path = pathOf(tag);
      const { rows } = parseTable(texts.get(tag) ?? '');
      if (path === undefined || isEmpty(rows[row])) return undefined;
      const sentRow = row - rows.slice(0, row).filter(isEmpty).length;
      const message = cellIssueAt(attempt.issues, path, { row: sentRow, column });
      return message && <IssueText text={message} />;
    };
  return (field: FieldDefinition): ReactNode => (
    <div
      className="value-field"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setLeft(new Set(left).add(field.tag));
      }}
    >
      <ValueControl
        field={field}
        text={texts.get(field.tag) ?? ''}
        onChange={(text) => onChange(field.tag, text)}
        issue={issueOf(field)}
        cellIssue={cellIssue(field)}
        otherField={(tag) => {
          const other = fields.find((one) => one.tag === tag);
          const text = texts.get(tag) ?? '';
          return other && { ...other, text, onChange: (next) => onChange(tag, next) };
        }}
        options={field.type === 'listValue' ? listOptions : undefined}
        objects={objects}
      />
    </div>
  );
}

function isEmpty(row: readonly string[] | undefined): boolean {
  return row === undefined || row.every((cell) => cell.trim() === '');
}
