import type { TeamPlugin } from 'dms-graphql-gateway';
import { resolverError } from 'dms-graphql-gateway/schema';
import type { ValidationRule } from 'graphql';

const needsName: ValidationRule = (context) => ({
  OperationDefinition({ name }) {
    if (name !== undefined) return;
    const message = 'The operation needs a name.';
    context.reportError(resolverError('GRAPHQL_VALIDATION_FAILED', message));
  },
});

/** A plugin of Yoga: rejects operations without a name, which the log and the metrics of a team could not tell apart. */
export function useNamedOperations(): TeamPlugin {
  return { onValidate: ({ addValidationRule }) => addValidationRule(needsName) };
}
