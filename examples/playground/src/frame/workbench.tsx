import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '../styles/graphiql.css';
import { DocExplorer, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { GraphiQLProvider, Tooltip, useGraphiQL, type GraphiQLPlugin } from '@graphiql/react';
import { useEffect } from 'react';
import { examplesPlugin } from '../examples/examples-pane.tsx';
import { firstQuery, persistedOnlyNote } from '../examples/bundled.ts';
import { fetcher } from '../fetcher.ts';
import { historyPlugin } from '../history/history-pane.tsx';
import { ResultPane } from '../result/result-pane.tsx';
import { useRuns } from '../runs.ts';
import { loadSchema, useSchema } from '../schema.ts';
import { settings } from '../settings.ts';
import { storage } from '../storage.ts';
import { EditorPane } from './editor-pane.tsx';
import { useEditorStyle } from './editor-style.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Pane, Rail } from './rail.tsx';
import { useRunKey } from './run-operation.ts';
import { Splitter, useSplit } from './splitter.tsx';
import { Tabs } from './tabs.tsx';

const documentationPlugin: GraphiQLPlugin = {
  title: 'Documentation',
  icon: () => <Icon name="documentation" />,
  content: DocExplorer,
};
const plugins = [
  documentationPlugin,
  ...(settings.persistedOnly ? [] : [examplesPlugin]),
  historyPlugin,
];

const firstText = settings.persistedOnly ? persistedOnlyNote : firstQuery;
/**
 * The query of a link, or what was written before. GraphiQL stores its tabs, but a query only after an edit. Without the query
 * of a tab, it opens an empty one.
 */
const initialQuery =
  new URLSearchParams(location.search).get('query') ??
  storage?.getItem('graphiql:query') ??
  firstText;

/** GraphiQL in the frame of the playground. */
export function Workbench() {
  const schema = useSchema((state) => state.schema);
  useEffect(() => void loadSchema({}), []);
  return (
    <GraphiQLProvider
      fetcher={fetcher}
      schema={schema}
      storage={storage as Storage}
      plugins={plugins}
      referencePlugin={documentationPlugin}
      defaultQuery={firstText}
      initialQuery={initialQuery}
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

/** Keeps which tab is shown, for what is outside of GraphiQL. */
function useActiveTab(): void {
  const activeTab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  useEffect(() => useRuns.setState({ activeTab }), [activeTab]);
}
