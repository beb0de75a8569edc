import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { parse, type OperationDefinitionNode } from 'graphql';
import { setRun } from '../runs.ts';
import { examples, firstQuery } from './bundled.ts';

interface OpenedOperation {
  readonly query: string;
  readonly variables: string;
}

const untouched = new Set(['', firstQuery, ...examples.map(({ query }) => query)].map(trimmed));

function trimmed(text: string): string {
  return text.trim();
}

function isUntouched(text: string): boolean {
  return untouched.has(trimmed(text));
}

/**
 * Returns the function that opens an operation, without a result: in the current tab if that shows a text that the user has
 * not written, otherwise in a new one. Ctrl+Enter then runs it.
 */
export function useOpenOperation(): (operation: OpenedOperation) => void {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => state);
  const { addTab, stop, updateActiveTabValues, setOperationFacts } = useGraphiQLActions();
  const activeTab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  return ({ query, variables }) => {
    stop();
    if (isUntouched(queryEditor?.getValue() ?? '')) setRun(activeTab, null);
    else addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(variables);
    responseEditor?.setValue('');
    // GraphiQL itself does both a moment later.
    const documentAST = parse(query);
    const operations = documentAST.definitions.filter(
      (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
    );
    const operationName = operations[0]?.name?.value ?? null;
    setOperationFacts({ documentAST, operations, operationName: operationName as string });
    updateActiveTabValues({ query, variables, response: null, operationName });
    queryEditor?.focus();
  };
}
