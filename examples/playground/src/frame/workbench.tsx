import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '../styles/graphiql.css';
import { DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { GraphiQLProvider, Tooltip, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { documentationPlugin } from '../documentation/documentation-pane.tsx';
import { examplesPlugin } from '../examples/examples-pane.tsx';
import { firstQuery, persistedOnlyNote } from '../examples/bundled.ts';
import { fetcher } from '../fetcher.ts';
import { historyPlugin } from '../history/history-pane.tsx';
import { ResultPane } from '../result/result-pane.tsx';
import { useStore } from '../../../ui/store.ts';
import { forgetRuns, runs, setActiveTab, setRun } from '../runs.ts';
import { loadSchema, useSchema } from '../schema.ts';
import { session } from '../session.ts';
import { settings } from '../settings.ts';
import { readStartTab, storage } from '../storage.ts';
import { EditorPane } from './editor-pane.tsx';
import { useEditorStyle } from './editor-style.ts';
import { useOperationName } from './operation-name.ts';
import { Pane, Rail } from './rail.tsx';
import { useRunKey } from './run-operation.ts';
import { Splitter, useSplit } from './splitter.tsx';
import { Tabs } from './tabs.tsx';

const plugins = [
  documentationPlugin,
  ...(settings.persistedOnly ? [] : [examplesPlugin]),
  historyPlugin,
];

const firstText = settings.persistedOnly ? persistedOnlyNote : firstQuery;
const start = readStartTab() ?? {
  query: firstText,
  variables: '',
  headers: '',
  operationName: null,
};
/** GraphiQL reads this choice only if headers are stored by default. */
const storesHeaders = storage.getItem('graphiql:shouldPersistHeaders') === 'true';

export function Workbench() {
  const schema = useSchema();
  useEffect(() => void loadSchema({}), []);
  return (
    <GraphiQLProvider
      fetcher={fetcher}
      schema={schema}
      storage={storage}
      shouldPersistHeaders={storesHeaders}
      plugins={plugins}
      referencePlugin={documentationPlugin}
      defaultQuery={firstText}
      initialQuery={start.query}
      initialVariables={start.variables}
      initialHeaders={start.headers}
    >
      <DocExplorerStore>
        <Tooltip.Provider>
          <Frame />
        </Tooltip.Provider>
      </DocExplorerStore>
    </GraphiQLProvider>
  );
}

function Frame() {
  const split = useSplit('playground:result', 50);
  useEditorStyle();
  useRunKey();
  useActiveTab();
  useOperationName(start.operationName);
  usePersonChange();
  return (
    <div className="frame graphiql-container">
      <Rail />
      <Pane />
      <main className="session">
        <Tabs />
        <div className="panels" style={split.style}>
          <EditorPane />
          <Splitter label="Width of the operation" orientation="vertical" split={split} />
          <ResultPane />
        </div>
      </main>
    </div>
  );
}

function useActiveTab(): void {
  const activeTab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  const responseEditor = useGraphiQL((state) => state.responseEditor);
  const { stop, updateActiveTabValues } = useGraphiQLActions();
  const activate = useEffectEvent((tab: string) => {
    stop(); // GraphiQL would write further results to this tab
    setActiveTab(tab);
    const response = runs.get().byTab[tab]?.lateResponse;
    if (response == null) return;
    setRun(tab, { lateResponse: null });
    updateActiveTabValues({ response });
    responseEditor?.setValue(response);
  });
  useEffect(() => activate(activeTab), [activeTab]);
}

/** Removes the results when another person is chosen, who may not see them. */
function usePersonChange(): void {
  const { tabs, activeTabIndex, responseEditor } = useGraphiQL((state) => state);
  const { moveTab, stop, updateActiveTabValues } = useGraphiQLActions();
  const forget = useEffectEvent(() => {
    stop();
    forgetRuns();
    // No other action changes tabs that are not shown.
    moveTab(
      tabs.map((tab, index) => (index === activeTabIndex ? tab : { ...tab, response: null })),
    );
    updateActiveTabValues({ response: null });
    responseEditor?.setValue('');
  });
  const { personId } = useStore(session.state);
  const lastPerson = useRef(personId);
  useEffect(() => {
    if (lastPerson.current === personId) return;
    lastPerson.current = personId;
    forget();
  }, [personId]);
}
