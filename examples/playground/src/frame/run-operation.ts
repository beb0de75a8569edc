import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { Kind } from 'graphql';
import { useEffect } from 'react';
import { parsed } from '../fetcher.ts';
import { latinKeyOf } from '../../../ui/keys.ts';
import { createStore, useStore } from '../../../ui/store.ts';
import { useChooseOperation } from './operation-name.ts';

/** Whether to run the operation as soon as the editors are there: GraphiQL ignores who asks before. */
const isWanted = createStore(false);

function useIsReady(): boolean {
  return useGraphiQL(({ queryEditor, responseEditor }) => Boolean(queryEditor && responseEditor));
}

export function useRunOperation(): () => void {
  const isReady = useIsReady();
  const { run } = useGraphiQLActions();
  return () => (isReady ? run() : isWanted.set(true));
}

/**
 * Runs the operation when the editors are there, and with Ctrl+Enter or ⌘+Enter, wherever the focus is. In the text of several
 * operations, runs the one at the cursor. Shift+Ctrl+P formats: the key of GraphiQL works on macOS only.
 */
export function useRunKey(): void {
  const isReady = useIsReady();
  const isWaiting = useStore(isWanted);
  const runOperation = useRunOperation();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const { prettifyEditors } = useGraphiQLActions();
  const choose = useChooseOperation();
  useEffect(() => {
    if (!isReady || !isWaiting) return;
    isWanted.set(false);
    runOperation();
  }, [isReady, isWaiting, runOperation]);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey)) return;
      const isFormat = event.shiftKey && (event.key === 'P' || latinKeyOf(event) === 'p');
      if (event.key !== 'Enter' && !isFormat) return;
      event.preventDefault();
      event.stopPropagation(); // the editors would run it, too
      if (isFormat) return void prettifyEditors();
      const position = queryEditor?.hasTextFocus() ? queryEditor.getPosition() : null;
      const at = position && queryEditor?.getModel()?.getOffsetAt(position);
      // GraphiQL reads the operations a moment after the last key.
      const { definitions = [] } = parsed(queryEditor?.getValue() ?? '') ?? {};
      const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
      const current = operations.find(
        ({ loc }) => loc && at && loc.start <= at && at <= loc.end, // at 0, nobody has put the cursor
      );
      if (current?.name && operations.length > 1) choose(current.name.value);
      runOperation();
    };
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [runOperation, queryEditor, choose, prettifyEditors]);
}
