import DataLoader from 'dataloader';
import type { Form } from '../model/form.ts';
import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import type { Organization } from '../model/organization.ts';
import {
  isFullId,
  nodeTypes,
  resources,
  type NodeType,
  type ResourceObjects,
} from '../model/resource.ts';
import { type Dms, isNotFound, nullIfNotFound } from '../rest/index.ts';
import { DocumentLoader } from './document-loader.ts';

type KeyedType = Exclude<NodeType, 'Document' | 'Form'>;

type KeyedLoaders = {
  readonly [T in KeyedType as (typeof resources)[T]['one']]: KeyedLoader<ResourceObjects[T]>;
};

const keyedTypes = nodeTypes.filter((type) => type !== 'Document' && type !== 'Form');

function createKeyedLoaders(dms: Dms): KeyedLoaders {
  const loaders: Record<string, KeyedLoader<object>> = {};
  for (const type of keyedTypes) {
    const { one, many } = resources[type];
    loaders[one] = new KeyedLoader<object>((key) => dms[many].get(key));
  }
  // Each name has the loader of its resource.
  return loaders as unknown as KeyedLoaders;
}

export interface Loaders extends KeyedLoaders {
  readonly document: DocumentLoader;
  readonly form: FormLoader;
  /** The organization that has an ID now, for writes. It never comes from the cache. */
  readonly storedOrganization: KeyedLoader<Organization>;
  readonly valuesOf: KeyedLoader<readonly ListValue[]>;
  /** All directories. The only key is `''`. */
  readonly directories: KeyedLoader<readonly ListValue[]>;
  /**
   * Recognized text. The key is the page (counted from 0; empty for all pages), a space and the document ID, which can
   * contain spaces itself.
   */
  readonly recognizedText: KeyedLoader<RecognizedText>;
  clear(): void;
}

export function createLoaders(dms: Dms, declaredForms: readonly Form[] | null = null): Loaders {
  const keyed = createKeyedLoaders(dms);
  const primed = async (
    pendingRead: Promise<readonly ListValue[]>,
  ): Promise<readonly ListValue[]> => {
    const values = await pendingRead;
    keyed.listValue.primeAll(values, ({ fullId }) => fullId);
    return values;
  };
  const loaders = {
    ...keyed,
    document: new DocumentLoader((id, requirements) => dms.documents.get(id, requirements)),
    form: new FormLoader(
      { all: () => dms.forms.all(), get: (id) => dms.forms.get(id) },
      declaredForms,
    ),
    storedOrganization: new KeyedLoader((id) => dms.organizations.getStored(id)),
    valuesOf: new KeyedLoader((directoryId) => primed(dms.listValues.inDirectory(directoryId))),
    directories: new KeyedLoader(() => primed(dms.listValues.directories())),
    recognizedText: new KeyedLoader((key): Promise<RecognizedText> => {
      const space = key.indexOf(' ');
      const page = space === 0 ? undefined : Number(key.slice(0, space));
      return dms.recognition.text(key.slice(space + 1), page);
    }),
  };
  return {
    ...loaders,
    clear(): void {
      for (const loader of Object.values(loaders)) loader.clear();
    },
  };
}

type FormResource = Pick<Dms['forms'], 'all' | 'get'>;

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

  async #find(id: string): Promise<Form | null> {
    const found = (await this.all()).find((form) => form.fullId === id || form.shortId === id);
    if (found !== undefined) return found;
    return this.#declared === null && isFullId(id) ? this.#get(id) : null;
  }

  #get(fullId: string): Promise<Form | null> {
    return this.#forms.get(fullId).catch(nullIfNotFound);
  }
}

/** A longer list exceeds the default of `MAX_LIST_FIELDS`, and adding its objects would take too long. */
const maxPrimed = 100_000;

export class KeyedLoader<T> {
  readonly #read: (key: string) => Promise<T>;
  readonly #known = new Map<string, Promise<T | null>>();
  /** Adds lists that were part of other responses. Called by the next read, because most operations have none. */
  #addLists: (() => void)[] = [];

  /** @internal */
  constructor(read: (key: string) => Promise<T>) {
    this.#read = read;
  }

  load(key: string): Promise<T | null> {
    for (const addList of this.#addLists.splice(0)) addList();
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const loading: Promise<T | null> = this.#read(key).catch((error: unknown) => {
      if (!isNotFound(error) && this.#known.get(key) === loading) this.#known.delete(key);
      return nullIfNotFound(error);
    });
    this.#known.set(key, loading);
    return loading;
  }

  /**
   * Adds a value that was part of another response.
   *
   * @internal
   */
  prime(key: string, value: T): void {
    this.#known.set(key, Promise.resolve(value));
  }

  /**
   * Adds a list of values that was another response.
   *
   * @internal
   */
  primeAll(values: readonly T[], keyOf: (value: T) => string): void {
    if (values.length > maxPrimed) return;
    this.#addLists.push(() => {
      for (const value of values) this.prime(keyOf(value), value);
    });
  }

  /**
   * Discards everything that was read.
   *
   * @internal
   */
  clear(): void {
    this.#addLists = [];
    this.#known.clear();
  }
}
