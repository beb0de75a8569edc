/* oxlint-disable import/default -- Vite makes these modules of the files of the packages */
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

/* Lets the editor start its workers, which are files of this page, and loads the editor beside the rest of the page. */
self.MonacoEnvironment = {
  getWorker(_moduleId, label) {
    if (label === 'json') return new JsonWorker();
    return label === 'graphql' ? new GraphQLWorker() : new EditorWorker();
  },
};
void import('monaco-graphql/esm/monaco-editor.js');
