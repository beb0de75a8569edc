/**
 * @typedef {object} Example
 * @property {string} name
 * @property {string} description
 * @property {'query' | 'mutation' | 'subscription'} type
 * @property {string} query
 * @property {string} variables JSON text
 */

/**
 * Fills the menu with the examples.
 *
 * @param {HTMLElement} menu
 * @param {readonly Example[]} examples
 * @param {(example: Example) => void} onChoice
 */
export function fillMenu(menu, examples, onChoice) {
  const list = document.createElement('ul');
  for (const example of examples) {
    const button = document.createElement('button');
    button.type = 'button';
    const name = document.createElement('strong');
    name.textContent = example.name;
    const kind = document.createElement('small');
    kind.textContent = example.type;
    const description = document.createElement('span');
    description.textContent = example.description;
    button.append(name, ' ', kind, ' ', description);
    button.addEventListener('click', () => {
      menu.hidePopover();
      onChoice(example);
    });
    const item = document.createElement('li');
    item.append(button);
    list.append(item);
  }
  menu.append(list);
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
}

/**
 * Returns the text of an editor.
 *
 * @param {'operation.graphql' | 'variables.json'} name
 */
function editorModel(name) {
  const model = monaco.editor.getModels().find(({ uri }) => uri.path.endsWith(name));
  if (model === undefined) throw new Error(`GraphiQL has no editor of ${name}.`);
  return model;
}
