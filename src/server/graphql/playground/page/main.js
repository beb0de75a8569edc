import { fillMenu, openExample } from './examples.js';
import { createFetcher, failureMessage } from './fetcher.js';
import { People } from './people.js';
import { showCalls } from './rest-calls.js';
import { replaceBlockedStorage } from './storage.js';

/**
 * @typedef {object} PageData
 * @property {string} firstQuery
 * @property {boolean} upstreamTrace
 * @property {boolean} hasPeople
 * @property {boolean} hasInbox
 * @property {boolean} persistedOnly
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
  message.scrollIntoView({ block: 'nearest' });
}

replaceBlockedStorage();
const people = new People();
let actor = '';
// GraphiQL stores tabs, but a query only after an edit. Without the query of a tab, it opens an empty tab.
const firstText =
  new URLSearchParams(location.search).get('query') ??
  localStorage.getItem('graphiql:query') ??
  data.firstQuery;

YogaGraphiQL.renderYogaGraphiQL(byId('root'), {
  title: document.title,
  defaultQuery: data.firstQuery,
  query: firstText,
  defaultEditorToolsVisibility: undefined, // closed without variables and headers
  fetcher: createFetcher({
    ...data,
    people,
    onStart() {
      showMessage('');
      byId('start').hidden = true;
      actor = people.chosen?.name ?? 'the service account';
    },
    onCalls: (calls) => showCalls(byId('rest-calls'), calls, actor),
    onMessage: showMessage,
  }),
});
whenRendered('.graphiql-response', (response) => {
  // After the children that GraphiQL adds and removes.
  response.append(...byId('beside').children);
  byId('start').hidden = data.persistedOnly;
});
// GraphiQL asks the system for its colors only once.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
  if (/graphiql-(?:dark|light)/.test(document.body.className)) return; // the user has chosen
  monaco.editor.setTheme(matches ? 'graphiql-DARK' : 'graphiql-LIGHT');
});

/**
 * Calls back with an element of GraphiQL as soon as it exists.
 *
 * @param {string} selector
 * @param {(element: Element) => void} callback
 */
function whenRendered(selector, callback) {
  const observer = new MutationObserver(check);
  observer.observe(byId('root'), { childList: true, subtree: true });
  function check() {
    const element = document.querySelector(selector);
    if (element === null) return;
    observer.disconnect();
    callback(element);
  }
}

/** @param {string} selector of a button of GraphiQL */
function click(selector) {
  /** @type {HTMLButtonElement} */ (document.querySelector(selector)).click();
}

const queries = ['', data.firstQuery, ...data.examples.map(({ query }) => query)];
const untouched = new Set(queries.map((query) => query.trim()));
byId('run-first').addEventListener('click', () => {
  const first = { ...data.examples[0], query: data.firstQuery, variables: '' };
  openExample(/** @type {import('./examples.js').Example} */ (first), untouched);
  // GraphiQL has to parse the query first.
  setTimeout(() => click('.graphiql-execute-button'), 0);
});
byId('documentation').addEventListener('click', () => click('.graphiql-sidebar button'));
if (navigator.platform.startsWith('Mac')) {
  for (const key of document.querySelectorAll('.ctrl')) key.textContent = '⌘';
}
if (data.examples.length > 0) {
  fillMenu(byId('examples'), data.examples, (example) => {
    openExample(example, untouched);
    byId('status').textContent =
      `${example.name} is open. Press Ctrl+Enter in the editor to run it.`;
  });
  byId('examples-button').hidden = false;
}
byId('inbox').hidden = !data.hasInbox;
const toggle = /** @type {HTMLButtonElement} */ (byId('rest-calls').querySelector('h2 button'));
toggle.addEventListener('click', () => {
  const isOpen = toggle.ariaExpanded === 'true';
  toggle.ariaExpanded = String(!isOpen);
  byId('rest-calls-body').hidden = isOpen;
});
if (data.hasPeople) {
  people.showChoice(byId('people')).catch((error) => showMessage(failureMessage(error)));
}
