/**
 * @typedef {object} Call one element of `extensions.upstream`
 * @property {string} route
 * @property {string[]} [fields]
 * @property {string[]} [embed]
 * @property {'dms' | 'shared' | 'cache'} source
 * @property {number | null} status
 * @property {number} startMs
 * @property {number} ms
 * @property {number} attempt
 */

/** @type {Record<Call['source'], string>} */
const sourceNames = { dms: 'no response', shared: 'shared', cache: 'cached' };

/**
 * Shows the upstream calls of a result as a table with a bar for each call.
 *
 * @param {HTMLElement} section
 * @param {readonly Call[]} calls in any order
 * @param {string} actor who asked
 */
export function showCalls(section, calls, actor) {
  const sorted = calls.toSorted((one, other) => one.startMs - other.startMs);
  const totalMs = Math.max(0, ...calls.map(({ startMs, ms }) => startMs + ms));
  const title = /** @type {HTMLElement} */ (section.querySelector('#rest-calls-title'));
  title.textContent = titleOf(calls, totalMs, actor);
  const body = /** @type {HTMLElement} */ (section.querySelector('#rest-calls-body'));
  body.replaceChildren(calls.length === 0 ? noCalls() : tableOf(sorted, totalMs));
  section.hidden = false;
}

/**
 * @param {readonly Call[]} calls
 * @param {number} totalMs
 * @param {string} actor
 */
function titleOf(calls, totalMs, actor) {
  const sent = calls.filter(({ source }) => source === 'dms').length;
  const cached = calls.filter(({ source }) => source === 'cache').length;
  const shared = calls.length - sent - cached;
  return [
    `REST calls: ${sent}`,
    ...(cached > 0 ? [`${cached} cached`] : []),
    ...(shared > 0 ? [`${shared} shared`] : []),
    ...(calls.length > 0 ? [duration(totalMs)] : []),
    `as ${actor}`,
  ].join(', ');
}

function noCalls() {
  const note = document.createElement('p');
  note.textContent = 'This result needed no call to the DMS.';
  return note;
}

/**
 * @param {readonly Call[]} calls
 * @param {number} totalMs
 */
function tableOf(calls, totalMs) {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const name of ['Call', 'Projection', 'Result', 'Start', 'Duration', 'Time']) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = name;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const call of calls) {
    const row = body.insertRow();
    row.dataset['source'] = call.source;
    const route = document.createElement('code');
    route.textContent = call.route;
    row.insertCell().append(route, call.attempt > 1 ? ` (attempt ${call.attempt})` : '');
    row.insertCell().append(...projectionOf(call));
    row.insertCell().textContent = String(call.status ?? sourceNames[call.source]);
    row.insertCell().textContent = duration(call.startMs);
    row.insertCell().textContent = duration(call.ms);
    row.insertCell().append(barOf(call, totalMs));
  }
  return table;
}

/** @param {Call} call */
function projectionOf({ fields, embed }) {
  return Object.entries({ fields, embed }).flatMap(([name, values]) => {
    if (values === undefined) return [];
    const line = document.createElement('code');
    line.textContent = `${name}=${values.join(',')}`;
    return [line];
  });
}

/**
 * @param {Call} call
 * @param {number} totalMs
 */
function barOf({ startMs, ms }, totalMs) {
  const bar = document.createElement('div');
  bar.className = 'bar';
  const filled = document.createElement('div');
  filled.style.marginInlineStart = `${(100 * startMs) / totalMs}%`;
  filled.style.width = `${(100 * ms) / totalMs}%`;
  bar.append(filled);
  return bar;
}

/** @param {number} ms */
function duration(ms) {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}
