import {
  HeaderEditor,
  QueryEditor,
  useGraphiQL,
  useGraphiQLActions,
  useMonaco,
  VariableEditor,
} from '@graphiql/react';
import { useState } from 'react';
import { linkOf } from '../../../ui/playground-link.ts';
import { CostEstimate } from '../cost/cost-estimate.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { useStore } from '../../../ui/store.ts';
import { session } from '../session.ts';
import { useChooseOperation } from './operation-name.ts';
import { useRunOperation } from './run-operation.ts';
import { Splitter, useSplit } from './splitter.tsx';

export function EditorPane() {
  const { prettifyEditors, mergeQuery, copyQuery } = useGraphiQLActions();
  const hasMonaco = useMonaco(({ monaco }) => monaco !== undefined);
  const split = useSplit('playground:variables', 70);
  const inputs = useInputs();
  return (
    <section className="editor-pane" aria-label="Operation">
      <div className="bar">
        <RunButton />
        <CostEstimate />
        <div className="bar-tools">
          <Tool label="Format" icon="prettify" onClick={() => void prettifyEditors()} />
          <Tool label="Merge fragments" icon="merge" onClick={mergeQuery} />
          <Tool label="Copy" icon="copy" onClick={() => void copyQuery()} />
          <CopyLink />
        </div>
      </div>
      <div className="editors" data-inputs={inputs.shown ?? 'none'} style={split.style}>
        <div className="editor">{hasMonaco && <QueryEditor tabIndex={-1} />}</div>
        <Splitter label="Height of the operation" orientation="horizontal" split={split} />
        <div className="inputs">
          <div className="inputs-head">
            {(['variables', 'headers'] as const).map((name) => (
              <button
                key={name}
                type="button"
                aria-expanded={inputs.shown === name}
                aria-controls={`input-${name}`}
                onClick={() => inputs.toggle(name)}
              >
                <Icon name="next" />
                {name === 'variables' ? 'Variables' : 'Headers'}
              </button>
            ))}
            {inputs.shown === 'headers' && <KeepHeaders />}
          </div>
          <div id="input-variables" className="editor" hidden={inputs.shown !== 'variables'}>
            {hasMonaco && <VariableEditor tabIndex={-1} />}
          </div>
          <div id="input-headers" className="editor" hidden={inputs.shown !== 'headers'}>
            {hasMonaco && <HeaderEditor tabIndex={-1} />}
          </div>
        </div>
      </div>
    </section>
  );
}

type Input = 'variables' | 'headers';

/**
 * The editor that is open below the operation: the one that the user has chosen, otherwise the variables of an operation
 * that has some.
 */
function useInputs() {
  const [chosen, setChosen] = useState<{ readonly tab: string; readonly input: Input | null }>();
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]!);
  const initial = tab.variables ? 'variables' : tab.headers ? 'headers' : null;
  const key = `${tab.id} ${tab.title}`;
  const shown = chosen?.tab === key ? chosen.input : initial;
  return {
    shown,
    toggle: (input: Input) => setChosen({ tab: key, input: shown === input ? null : input }),
  };
}

function KeepHeaders() {
  const shouldPersistHeaders = useGraphiQL((state) => state.shouldPersistHeaders);
  const { setShouldPersistHeaders } = useGraphiQLActions();
  return (
    <label className="keep-headers">
      <input
        type="checkbox"
        checked={shouldPersistHeaders}
        onChange={({ currentTarget }) => setShouldPersistHeaders(currentTarget.checked)}
      />
      Keep in this browser
    </label>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
}

function Tool({ label, icon, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className="button button-quiet button-icon"
      title={label}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function CopyLink() {
  const {
    queryEditor,
    variableEditor,
    operations = [],
    operationName,
  } = useGraphiQL((state) => state);
  const { personId } = useStore(session.state);
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const shown = JSON.stringify([tab?.hash, operationName, personId]);
  const [copied, setCopied] = useState('');
  const copy = async (): Promise<void> => {
    const query = queryEditor?.getValue() ?? '';
    const name = operations.length > 1 ? operationName : null;
    const operation = { query, variables: variableEditor?.getValue(), operationName: name };
    const link = `${location.origin}${location.pathname}${linkOf(operation, personId)}`;
    try {
      await navigator.clipboard.writeText(link);
      setCopied(shown);
    } catch {
      window.prompt('Copy this link:', link); // only pages with HTTPS can write to the clipboard
    }
  };
  const isCopied = copied === shown;
  return (
    <>
      <Tool label="Copy link" icon={isCopied ? 'check' : 'link'} onClick={() => void copy()} />
      <span role="status" className="visually-hidden">
        {isCopied && 'The link is copied.'}
      </span>
    </>
  );
}

/**
 * Runs the operation, or stops it. If the text has several operations, one of them can be chosen. A mutation cannot be stopped,
 * and the second click of a double click does nothing.
 */
function RunButton() {
  const {
    operations = [],
    operationName,
    isFetching,
    subscription,
  } = useGraphiQL((state) => state);
  const run = useRunOperation();
  const choose = useChooseOperation();
  const { stop } = useGraphiQLActions();
  const isRunning = isFetching || subscription !== null;
  const running = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  const isWriting = isFetching && running?.operation === 'mutation';
  const names = operations.flatMap(({ name }) => name?.value ?? []);
  return (
    <>
      <button
        type="button"
        className="button button-primary"
        aria-disabled={isWriting}
        onClick={({ detail: clicks }) => {
          if (clicks < 2 && !isWriting) (isRunning ? stop : run)();
        }}
      >
        <Icon name={isRunning && !isWriting ? 'stop' : 'play'} />
        {isRunning && !isWriting ? 'Stop' : 'Run'}
      </button>
      {names.length > 1 && (
        <select
          aria-label="Operation to run"
          value={operationName ?? names[0]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </>
  );
}
