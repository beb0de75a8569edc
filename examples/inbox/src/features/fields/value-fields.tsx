import type { ReactNode } from 'react';
import { parseTable } from '../../domain/table-text.ts';
import { issueAt, type Issues } from '../actions/mutation-problem.tsx';
import { GatewayText } from '../../components/gateway-text.tsx';
import type { FieldDefinition } from './field-definition.ts';
import { cellIssueAt, useCheckTexts, type Texts } from './field-values.ts';
import { useObjectOptions } from './use-object-options.ts';
import { ValueControl } from './value-control.tsx';

/** What the last attempt to send the values of a form has found. */
export interface FieldsAttempt {
  /** Issues that were found before the request, by tag. */
  readonly ownIssues: ReadonlyMap<string, string>;
  /** Issues that the gateway found, and the texts that it was sent, with their paths in the input. */
  readonly issues: Issues;
  readonly texts: Texts;
  readonly paths: ReadonlyMap<string, string>;
}

/** Before the first attempt. */
export const noAttempt: FieldsAttempt = {
  ownIssues: new Map(),
  issues: new Map(),
  texts: new Map(),
  paths: new Map(),
};

interface ValueFieldsProps {
  readonly fields: readonly FieldDefinition[];
  readonly texts: Texts;
  readonly onChange: (tag: string, text: string) => void;
  readonly attempt: FieldsAttempt;
}

/** A control for each value of a form. An issue disappears when its value is corrected. */
export function ValueFields({ fields, texts, onChange, attempt }: ValueFieldsProps) {
  const options = useObjectOptions(fields);
  const current = useCheckTexts()(fields, texts);
  const pathOf = (tag: string): string | undefined =>
    texts.get(tag) === attempt.texts.get(tag) ? attempt.paths.get(tag) : undefined;
  const issueOf = ({ tag, type }: FieldDefinition): ReactNode => {
    const own = attempt.ownIssues.get(tag);
    if (own !== undefined) return current.get(tag) ?? (texts.get(tag) ? undefined : own);
    const path = pathOf(tag);
    if (path === undefined) return undefined;
    if (type !== 'table') return issueAt(attempt.issues, path);
    const message = attempt.issues.get(path);
    return message && <GatewayText text={message} />;
  };
  const cellIssue =
    ({ tag }: FieldDefinition) =>
    (row: number, column: string): ReactNode => {
      const path = pathOf(tag);
      const { rows } = parseTable(texts.get(tag) ?? '');
      if (path === undefined || isEmpty(rows[row])) return undefined;
      const sentRow = row - rows.slice(0, row).filter(isEmpty).length;
      const message = cellIssueAt(attempt.issues, path, { row: sentRow, column });
      return message && <GatewayText text={message} />;
    };
  return fields.map((field) => (
    <ValueControl
      key={field.tag}
      field={field}
      text={texts.get(field.tag) ?? ''}
      onChange={(text) => onChange(field.tag, text)}
      issue={issueOf(field)}
      cellIssue={cellIssue(field)}
      otherField={(tag) => {
        const other = fields.find((one) => one.tag === tag);
        const text = texts.get(tag) ?? '';
        return other && { label: other.label, text, onChange: (next) => onChange(tag, next) };
      }}
      options={options.get(field.type)}
    />
  ));
}

function isEmpty(row: readonly string[] | undefined): boolean {
  return row === undefined || row.every((cell) => cell.trim() === '');
}
