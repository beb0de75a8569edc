import DataLoader from 'dataloader';
import type { Form } from '../model/form.ts';
import { nullIfNotFound } from './nullable.ts';
import { isFullId } from '../model/id.ts';

/** Reads forms by full or short ID, and lists them. */
export interface FormLoader {
  /**
   * Returns the form, or null if it does not exist. A single full ID costs one request. Several IDs, or a short ID,
   * cost one request for the list of all forms.
   */
  load(id: string): Promise<Form | null>;
  /** Returns all active forms in the order of the DMS. Costs one request. */
  all(): Promise<readonly Form[]>;
  /** Discards everything that was read. */
  clear(): void;
}

interface FormResource {
  all(): Promise<readonly Form[]>;
  get(fullId: string): Promise<Form>;
}

/** Creates the form loader of one operation. Failed reads are not cached. */
export function createFormLoader(forms: FormResource): FormLoader {
  let listed: Promise<readonly Form[]> | null = null;

  const all = (): Promise<readonly Form[]> => {
    if (listed !== null) return listed;
    const listing = forms.all();
    listed = listing;
    listing.catch(() => listed === listing && (listed = null));
    return listing;
  };

  /** The list contains active forms only. An inactive form can still be read by its full ID. */
  const find = async (id: string): Promise<Form | null> => {
    const found = (await all()).find((form) => form.fullId === id || form.shortId === id);
    if (found !== undefined) return found;
    return isFullId(id) ? forms.get(id).catch(nullIfNotFound) : null;
  };

  const batch = new DataLoader<string, { readonly answer: Promise<Form | null> }>(async (ids) => {
    const [only] = ids;
    if (ids.length === 1 && listed === null && isFullId(only!)) {
      return [{ answer: forms.get(only!).catch(nullIfNotFound) }];
    }
    return ids.map((id) => ({ answer: find(id) }));
  });

  return {
    load: async (id) => {
      try {
        return await (
          await batch.load(id)
        ).answer;
      } catch (error) {
        batch.clear(id);
        throw error;
      }
    },
    all,
    clear() {
      listed = null;
      batch.clearAll();
    },
  };
}
