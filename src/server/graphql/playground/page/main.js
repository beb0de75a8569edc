import { fillMenu, openExample } from './examples.js';
import { createFetcher } from './fetcher.js';
import { People } from './people.js';
import { showCalls } from './rest-calls.js';
import { replaceBlockedStorage } from './storage.js';

/**
 * @typedef {object} PageData
 * @property {string} firstQuery
 * @property {boolean} upstreamTrace
 * @property {boolean} hasPeople
 * @property {import('./examples.js').Example[]} examples
 * @property {string | null} schemaHash changes with the schema; null if it cannot be read
 * @property {Record<string, string>} workers URLs by label
 */

/**
 * Returns the element with an ID.
 *
 * @param {string} id
 */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

const data = /** @type {PageData} */ (JSON.parse(byId('data').textContent));
byId('data').remove();

window.MonacoEnvironment.getWorkerUrl = (_moduleId, label) => data.workers[label] ?? '';

/** @param {string} text */
function showMessage(text) {
  const message = byId('message');
  message.textContent = text;
  message.hidden = text === '';
}

replaceBlockedStorage();
const people = new People();
let actor = '';
const restCalls = byId('rest-calls');
YogaGraphiQL.renderYogaGraphiQL(byId('root'), {
  title: document.title,
  defaultQuery: data.firstQuery,
  // GraphiQL stores tabs, but a query only after an edit. Without the query of a tab, it opens an empty tab.
  query:
    new URLSearchParams(location.search).get('query') ??
    localStorage.getItem('graphiql:query') ??
    data.firstQuery,
  fetcher: createFetcher({
    ...data,
    people,
    onStart() {
      showMessage('');
      actor = people.chosen?.name ?? 'the service account';
    },
    onCalls: (calls) => showCalls(restCalls, calls, actor),
    onMessage: showMessage,
  }),
});

if (data.examples.length > 0) {
  const queries = ['', data.firstQuery, ...data.examples.map(({ query }) => query)];
  const untouched = new Set(queries.map((query) => query.trim()));
  fillMenu(byId('examples'), data.examples, (example) => {
    openExample(example, untouched);
    byId('status').textContent =
      `${example.name} is open. Press Ctrl+Enter in the editor to run it.`;
  });
  byId('examples-button').hidden = false;
}
if (data.upstreamTrace) {
  restCalls.hidden = false;
  const toggle = /** @type {HTMLButtonElement} */ (restCalls.querySelector('h2 button'));
  toggle.addEventListener('click', () => {
    const isOpen = toggle.ariaExpanded === 'true';
    toggle.ariaExpanded = String(!isOpen);
    byId('rest-calls-body').hidden = isOpen;
  });
}
if (data.hasPeople) {
  people.showChoice(byId('people')).catch((error) => showMessage(String(error)));
}
