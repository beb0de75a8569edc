import DataLoader from 'dataloader';
import type { Form } from '../model/form.ts';
import { nullIfNotFound } from './nullable.ts';
import { isFullId } from '../model/id.ts';

/** Reads forms by full or short id. */
export interface FormLoader {
  /** The form; null where there is none. One full id costs one request; several, or a short id, cost one request for all forms. */
  load(id: string): Promise<Form | null>;
  /** All active forms, in the order of the DMS. */
  all(): Promise<readonly Form[]>;
  clear(): void;
}

interface FormResource {
  all(): Promise<readonly Form[]>;
  get(fullId: string): Promise<Form>;
}

export function createFormLoader(forms: FormResource): FormLoader {
  let listed: Promise<readonly Form[]> | null = null;

  const all = (): Promise<readonly Form[]> => {
    if (listed !== null) return listed;
    const listing = forms.all();
    listed = listing;
    listing.catch(() => listed === listing && (listed = null));
    return listing;
  };

  /** The list holds the active forms only; one that is not among them can still be read by its full id. */
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
