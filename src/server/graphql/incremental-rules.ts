import { BREAK, visit, type DocumentNode, type ValidationRule } from 'graphql';
import { useDeferStream } from './yoga-packages.ts';

const { onValidate } = useDeferStream();

/**
 * Returns the rules for a query document. If it has `@defer` or `@stream`, includes the rules for them, which replace
 * rules with the same name. The plugin would add these rules to every validation.
 */
export function withIncrementalRules(
  rules: readonly ValidationRule[],
  document: DocumentNode,
): readonly ValidationRule[] {
  if (!hasIncrementalDirective(document)) return rules;
  const params = { rules };
  const addValidationRule = (added: ValidationRule): void => {
    params.rules = [...params.rules.filter(({ name }) => name !== added.name), added];
  };
  onValidate?.({ params, addValidationRule } as never);
  return params.rules;
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
