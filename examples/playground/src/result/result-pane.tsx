import { ResponseEditor, useGraphiQL, useMonaco } from '@graphiql/react';
import { useId, useMemo, useState } from 'react';
import { RestCalls } from '../../../ui/rest-calls.tsx';
import type { Texts } from '../../../ui/rest-calls-texts.ts';
import { fill } from '../../../ui/text.ts';
import { firstQuery } from '../examples/bundled.ts';
import { useOpenOperation } from '../examples/use-open-operation.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Keys } from '../frame/keys.tsx';
import { useRunOperation } from '../frame/run-operation.ts';
import { Splitter, useSplit } from '../frame/splitter.tsx';
import { useRun, type Run } from '../runs.ts';
import { useSchema } from '../schema.ts';
import { settings } from '../settings.ts';
import { ResultErrors, type ResultError } from './result-errors.tsx';
import { ResultTableView } from './result-table.tsx';
import { tablesOf, type ResultTable } from './tables.ts';

export function ResultPane() {
  const run = useRun();
  const response = useResponse();
  const tables = useTables(run, response);
  const [prefersTable, setPrefersTable] = useState(false);
  const [showsCalls, setShowsCalls] = useState(true);
  const split = useSplit('playground:calls', 42);
  const showsTable = prefersTable && tables.length > 0;
  const calls = run?.traced == null ? 'none' : showsCalls ? 'open' : 'closed';
  return (
    <section className="result-pane" aria-label="Result">
      <div className="bar">
        <h2>Result</h2>
        {tables.length > 0 && <ViewChoice showsTable={showsTable} onChange={setPrefersTable} />}
      </div>
      <div className="result-parts" data-calls={calls} style={split.style}>
        <Result
          isEmpty={run === undefined && response === null}
          errors={run?.failure ? [{ message: run.failure }] : (response?.errors ?? [])}
          tables={showsTable ? tables : null}
        />
        <Splitter label="Height of the result" orientation="horizontal" split={split} />
        {run?.traced && <CallsPanel run={run} isOpen={showsCalls} onToggle={setShowsCalls} />}
      </div>
    </section>
  );
}

interface ResultProps {
  readonly isEmpty: boolean;
  readonly errors: readonly ResultError[];
  readonly tables: readonly ResultTable[] | null;
}

function Result({ isEmpty, errors, tables }: ResultProps) {
  const hasMonaco = useMonaco(({ monaco }) => monaco !== undefined);
  return (
    <div className="result">
      <ResultErrors errors={errors} />
      <div className="editor" hidden={tables !== null}>
        {hasMonaco && <ResponseEditor tabIndex={-1} />}
      </div>
      {tables && (
        <div className="result-tables" tabIndex={0} role="region" aria-label="Tables">
          {tables.map((table) => (
            <ResultTableView key={table.name} table={table} />
          ))}
        </div>
      )}
      {isEmpty && <Start />}
    </div>
  );
}

interface Response {
  readonly data?: unknown;
  readonly errors?: readonly ResultError[];
}

function useResponse(): Response | null {
  const text = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response);
  return useMemo(() => (text ? (JSON.parse(text) as Response) : null), [text]);
}

function useTables(run: Run | undefined, response: Response | null): readonly ResultTable[] {
  const schema = useSchema();
  const document = run?.document;
  return useMemo(() => {
    if (!response || !document) return [];
    const pageOf = (id: string): string => `app/documents/${encodeURIComponent(id)}`;
    return tablesOf(response.data, document, schema, settings.hasInbox ? pageOf : null);
  }, [response, document, schema]);
}

interface ViewChoiceProps {
  readonly showsTable: boolean;
  readonly onChange: (showsTable: boolean) => void;
}

function ViewChoice({ showsTable, onChange }: ViewChoiceProps) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Show as</legend>
      {(['JSON', 'Table'] as const).map((view) => (
        <label key={view}>
          <input
            type="radio"
            name={name}
            checked={showsTable === (view === 'Table')}
            onChange={() => onChange(view === 'Table')}
          />
          <span>{view}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Start() {
  const query = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.query);
  const open = useOpenOperation();
  const run = useRunOperation();
  if (settings.persistedOnly) return null;
  const isFirst = query?.trim() === firstQuery.trim();
  return (
    <section className="start" aria-labelledby="start">
      <h2 id="start">The result appears here</h2>
      {isFirst && (
        <>
          <p className="muted">The first example reads the inbox with one request.</p>
          <button
            type="button"
            className="button button-primary"
            onClick={() => {
              open({ query: firstQuery, variables: '' });
              run();
            }}
          >
            <Icon name="play" />
            Run the first example
          </button>
        </>
      )}
      <Keys />
    </section>
  );
}

const english: Texts = { t: (message, ...[values]) => fill(message, values), language: 'en' };

interface CallsPanelProps {
  readonly run: Run;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

function CallsPanel({ run, isOpen, onToggle }: CallsPanelProps) {
  const { actor, traced, isTraced } = run;
  if (traced === null) return null;
  return (
    <section className="calls" aria-labelledby="calls" aria-busy={!isTraced}>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls="calls-body"
          onClick={() => onToggle(!isOpen)}
        >
          <Icon name="next" />
          <span id="calls">{titleOf(traced.calls, actor)}</span>
        </button>
      </h2>
      <div
        id="calls-body"
        className="calls-body"
        hidden={!isOpen}
        tabIndex={0}
        role="group"
        aria-labelledby="calls"
      >
        <RestCalls operations={[traced]} subject="This operation" personId={null} texts={english} />
      </div>
    </section>
  );
}

function titleOf(calls: NonNullable<Run['traced']>['calls'], actor: string | null): string {
  const count = (source: string): number => calls.filter((call) => call.source === source).length;
  const totalMs = Math.max(0, ...calls.map(({ startMs, ms }) => startMs + ms));
  return [
    `REST calls: ${count('dms')}`,
    ...(count('cache') > 0 ? [`${count('cache')} cached`] : []),
    ...(count('shared') > 0 ? [`${count('shared')} shared`] : []),
    ...(calls.length > 0 ? [`${totalMs.toFixed(totalMs < 10 ? 1 : 0)} ms`] : []),
    ...(actor === null ? [] : [`as ${actor}`]),
  ].join(', ');
}
