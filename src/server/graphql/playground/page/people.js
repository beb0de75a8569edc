/**
 * @typedef {object} Person a person of the sandbox
 * @property {string} systemId
 * @property {string} name
 * @property {string} unit
 * @property {string} token
 */

/** How long before their end tokens are replaced, in milliseconds. */
const renewBeforeMs = 60_000;

/** The people of the sandbox, and the one who was chosen. */
export class People {
  /** @type {Map<string, Person>} */
  #people = new Map();
  #expiresAtMs = 0;
  #chosenId = '';

  /** The chosen person. Undefined: the service account. */
  get chosen() {
    return this.#people.get(this.#chosenId);
  }

  /**
   * Fills the choice with the people, and shows it. It remains hidden if this client cannot act as them.
   *
   * @param {HTMLElement} label
   */
  async showChoice(label) {
    await this.renew();
    if (this.#people.size === 0) return;
    const select = /** @type {HTMLSelectElement} */ (label.querySelector('select'));
    select.append(new Option('the service account', ''));
    for (const { systemId, name, unit } of this.#people.values()) {
      select.append(new Option(`${name}, ${unit}`, systemId));
    }
    select.addEventListener('change', () => {
      this.#chosenId = select.value;
    });
    label.hidden = false;
  }

  /** The headers of a request of the chosen person. */
  async headers() {
    if (this.#chosenId === '') return {};
    if (Date.now() > this.#expiresAtMs - renewBeforeMs) await this.renew();
    return { authorization: `Bearer ${this.chosen?.token ?? ''}` };
  }

  /** Fetches new tokens. */
  async renew() {
    const response = await fetch('/sandbox/people');
    if (response.status === 404) return; // SANDBOX_SIGN_IN=local, and this browser is on another machine
    if (!response.ok) {
      throw new Error(`The people of the sandbox cannot be read (status ${response.status}).`);
    }
    const { people, expiresAt } = /** @type {{ people: Person[], expiresAt: string }} */ (
      await response.json()
    );
    this.#people = new Map(people.map((person) => [person.systemId, person]));
    this.#expiresAtMs = Date.parse(expiresAt);
  }
}
