import DataLoader from 'dataloader';
import type { Form } from '../model/form.ts';
import { isFullId } from '../model/id.ts';
import type { Dms } from '../rest/resources/dms.ts';
import { nullIfNotFound } from './keyed-loader.ts';

type FormResource = Pick<Dms['forms'], 'all' | 'get'>;

/** Reads forms by full or short ID for one operation, and lists them. Failed reads are not cached. */
export class FormLoader {
  readonly #forms: FormResource;
  readonly #declared: readonly Form[] | null;
  #listed: Promise<readonly Form[]> | null = null;
  readonly #batch = new DataLoader<string, { readonly answer: Promise<Form | null> }>(async (ids) =>
    this.#answerAll(ids),
  );

  /**
   * @param declared all forms, so that no request is sent. Null if they are not declared.
   * @internal
   */
  constructor(forms: FormResource, declared: readonly Form[] | null = null) {
    this.#forms = forms;
    this.#declared = declared;
  }

  /**
   * Returns the form, or null if it does not exist. A single full ID costs one request. Several IDs, or a short ID,
   * cost one request for the list of all forms.
   */
  async load(id: string): Promise<Form | null> {
    try {
      return await (
        await this.#batch.load(id)
      ).answer;
    } catch (error) {
      this.#batch.clear(id);
      throw error;
    }
  }

  /** Returns all active forms in the order of the DMS, or all declared ones. Costs one request unless declared. */
  all(): Promise<readonly Form[]> {
    if (this.#declared !== null) return Promise.resolve(this.#declared);
    if (this.#listed !== null) return this.#listed;
    const listing = this.#forms.all();
    this.#listed = listing;
    listing.catch(() => this.#listed === listing && (this.#listed = null));
    return listing;
  }

  /**
   * Discards everything that was read.
   *
   * @internal
   */
  clear(): void {
    this.#listed = null;
    this.#batch.clearAll();
  }

  #answerAll(ids: readonly string[]): { readonly answer: Promise<Form | null> }[] {
    const [only] = ids;
    const isListed = this.#declared !== null || this.#listed !== null;
    if (ids.length === 1 && !isListed && isFullId(only!)) {
      return [{ answer: this.#get(only!) }];
    }
    return ids.map((id) => ({ answer: this.#find(id) }));
  }

  /** The list contains active forms only. An inactive form can still be read by its full ID. */
  async #find(id: string): Promise<Form | null> {
    const found = (await this.all()).find((form) => form.fullId === id || form.shortId === id);
    if (found !== undefined) return found;
    return this.#declared === null && isFullId(id) ? this.#get(id) : null;
  }

  #get(fullId: string): Promise<Form | null> {
    return this.#forms.get(fullId).catch(nullIfNotFound);
  }
}
