import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { readDeployFile } from './compose.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = parse(readDeployFile('alerts.yaml')) as {
  groups: readonly { readonly rules: readonly Alert[] }[];
};

/** The alerts in deploy/alerts.yaml. */
export const alerts = groups.flatMap(({ rules }) => rules);

/** What an expression expects of the metrics. */
export interface Expectations {
  readonly metrics: readonly string[];
  /** Labels that are matched or that the result is grouped by. */
  readonly labels: readonly string[];
  /** Values with which a label is compared, by name of the label. Alternatives of a pattern count each. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** @throws {Error} if the expression is not valid PromQL */
export function readExpression(expression: string): Expectations {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  const values: Record<string, string[]> = {};
  let label = '';
  parser.parse(expression).iterate({
    enter({ name, type, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`invalid at ${from}: ${expression}`);
      if (name === 'Identifier') metrics.add(text);
      if (name === 'LabelName') {
        label = text;
        labels.add(text);
      }
      if (name === 'StringLiteral') {
        values[label] = [...(values[label] ?? []), ...text.slice(1, -1).split('|')];
      }
    },
  });
  return { metrics: [...metrics], labels: [...labels], values };
}
