import { BREAK, specifiedRules, visit, type DocumentNode, type ValidationRule } from 'graphql';
import { useDeferStream } from './yoga-packages.ts';

/**
 * The rules for `@defer` and `@stream`. The plugin would add these rules to every validation. They are collected once
 * and applied only to documents with either directive.
 */
const incrementalRules = collectRules();

function collectRules(): readonly ValidationRule[] {
  const added: ValidationRule[] = [];
  const { onValidate } = useDeferStream();
  const params = { rules: [...specifiedRules] };
  onValidate?.({ params, addValidationRule: (rule: ValidationRule) => added.push(rule) } as never);
  return added;
}

/**
 * Returns the rules for a query document. If it has `@defer` or `@stream`, includes the rules for them, which replace
 * rules with the same name.
 */
export function withIncrementalRules(
  rules: readonly ValidationRule[],
  document: DocumentNode,
): readonly ValidationRule[] {
  if (!hasIncrementalDirective(document)) return rules;
  const names = new Set(incrementalRules.map(({ name }) => name));
  return [...rules.filter(({ name }) => !names.has(name)), ...incrementalRules];
}

function hasIncrementalDirective(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive({ name }) {
      found = name.value === 'defer' || name.value === 'stream';
      return found ? BREAK : undefined;
    },
  });
  return found;
}
