/**
 * @typedef {object} Example
 * @property {string} name
 * @property {string} description
 * @property {string} group
 * @property {'query' | 'mutation' | 'subscription'} type
 * @property {string} query
 * @property {string} variables JSON text
 */

/**
 * Fills the menu with the examples by group, and lets the user search them.
 *
 * @param {HTMLElement} menu
 * @param {readonly Example[]} examples in the order of their groups
 * @param {(example: Example) => void} onChoice
 */
export function fillMenu(menu, examples, onChoice) {
  const entries = examples.map((example) => {
    const element = document.createElement('li');
    const button = createButton(example);
    button.addEventListener('click', () => {
      menu.hidePopover();
      onChoice(example);
    });
    element.append(button);
    return { ...example, element };
  });
  const groups = [...Map.groupBy(entries, ({ group }) => group)].map(([name, members]) => {
    const section = createSection(name);
    section.append(createList(members.map(({ element }) => element)));
    return { section, members };
  });
  menu.append(...groups.map(({ section }) => section));

  const search = /** @type {HTMLInputElement} */ (menu.querySelector('input'));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const { name, group, description, query, element } of entries) {
      const text = `${name} ${group} ${description} ${query}`.toLowerCase();
      element.hidden = !words.every((word) => text.includes(word));
    }
    for (const { section, members } of groups) {
      section.hidden = members.every(({ element }) => element.hidden);
    }
    const isEmpty = groups.every(({ section }) => section.hidden);
    const note = /** @type {HTMLElement} */ (menu.querySelector('#no-examples'));
    note.textContent = isEmpty ? 'No example matches.' : '';
  };
  search.addEventListener('input', filter);
  menu.addEventListener('toggle', (event) => {
    if (event.newState !== 'open') return;
    search.value = '';
    filter();
    search.focus();
  });
}

/** @param {string} name */
function createSection(name) {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = name;
  section.append(heading);
  return section;
}

/** @param {readonly HTMLElement[]} items */
function createList(items) {
  const list = document.createElement('ul');
  list.append(...items);
  return list;
}

/** @param {Example} example */
function createButton({ name, type, description: text }) {
  const button = document.createElement('button');
  button.type = 'button';
  const title = document.createElement('strong');
  title.textContent = name;
  button.append(title, ' ');
  if (type === 'mutation') {
    const mark = document.createElement('small');
    mark.textContent = 'changes data';
    button.append(mark, ' ');
  }
  const description = document.createElement('span');
  description.textContent = text;
  button.append(description);
  return button;
}

/**
 * Opens an example in GraphiQL: in the current tab if that shows `untouched` text, otherwise in a new one.
 *
 * @param {Example} example
 * @param {ReadonlySet<string>} untouched texts that the user has not written, without white space at their ends
 */
export function openExample({ query, variables }, untouched) {
  if (!untouched.has(editorModel('operation.graphql').getValue().trim())) {
    /** @type {HTMLButtonElement} */ (document.querySelector('.graphiql-tab-add')).click();
  }
  editorModel('operation.graphql').setValue(query);
  editorModel('variables.json').setValue(variables);
  const toggle = /** @type {HTMLButtonElement} */ (
    document.querySelector('.graphiql-toggle-editor-tools')
  );
  const isOpen = toggle.ariaLabel === 'Hide editor tools';
  const hasHeaders = editorModel('request-headers.json').getValue() !== '';
  if (isOpen !== (variables !== '' || hasHeaders)) toggle.click();
}

/**
 * Returns the text of an editor.
 *
 * @param {'operation.graphql' | 'variables.json' | 'request-headers.json'} name
 */
function editorModel(name) {
  const model = monaco.editor.getModels().find(({ uri }) => uri.path.endsWith(name));
  if (model === undefined) throw new Error(`GraphiQL has no editor of ${name}.`);
  return model;
}
