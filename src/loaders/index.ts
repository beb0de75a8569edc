import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import { nodeTypes, resources, type NodeType } from '../model/resource.ts';
import type { Dms } from '../rest/dms.ts';
import { DocumentLoader } from './document-loader.ts';
import { FormLoader } from './form-loader.ts';
import { KeyedLoader } from './keyed-loader.ts';

type Table = typeof resources;

/** The types whose objects are read by `dms.<many>.get(key)`. The others have loaders of their own. */
type KeyedType = Exclude<NodeType, 'Document' | 'Form'>;

type KeyedLoaders = {
  readonly [T in KeyedType as Table[T]['one']]: KeyedLoader<
    Awaited<ReturnType<Dms[Table[T]['many']]['get']>>
  >;
};

const keyedTypes = nodeTypes.filter((type) => type !== 'Document' && type !== 'Form');

function createKeyedLoaders(dms: Dms): KeyedLoaders {
  const loaders: Record<string, KeyedLoader<object>> = {};
  for (const type of keyedTypes) {
    const { one, many } = resources[type];
    loaders[one] = new KeyedLoader<object>((key) => dms[many].get(key));
  }
  // Each name has the loader of its resource.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return loaders as unknown as KeyedLoaders;
}

/** The loaders of one operation. Each key is read at most once until `clear`. */
export type Loaders = ReturnType<typeof createLoaders>;

/** Creates the loaders of one operation: one for each type with a key, by its name in the table of resources, and others. */
export function createLoaders(dms: Dms) {
  const keyed = createKeyedLoaders(dms);
  const primed = async (
    pendingRead: Promise<readonly ListValue[]>,
  ): Promise<readonly ListValue[]> => {
    const values = await pendingRead;
    for (const value of values) keyed.listValue.prime(value.fullId, value);
    return values;
  };
  const loaders = {
    ...keyed,
    document: new DocumentLoader((id, requirements) => dms.documents.get(id, requirements)),
    form: new FormLoader({ all: () => dms.forms.all(), get: (id) => dms.forms.get(id) }),
    /** The full ID of the organization that has an ID now, for writes. It never comes from the cache. */
    organizationFullId: new KeyedLoader((id) => dms.organizations.fullIdOf(id)),
    /** The values of a directory by its full ID. */
    valuesOf: new KeyedLoader((directoryId) => primed(dms.listValues.inDirectory(directoryId))),
    /** All directories. The only key is `''`. */
    directories: new KeyedLoader(() => primed(dms.listValues.directories())),
    /**
     * Recognized text. The key is the page (counted from 0; empty for all pages), a space and the document ID, which can
     * contain spaces itself.
     */
    recognizedText: new KeyedLoader((key): Promise<RecognizedText> => {
      const space = key.indexOf(' ');
      const page = space === 0 ? undefined : Number(key.slice(0, space));
      return dms.recognition.text(key.slice(space + 1), page);
    }),
  };
  return {
    ...loaders,
    /** Discards everything that was read. Called after a write, which may have changed any object. */
    clear(): void {
      for (const loader of Object.values(loaders)) loader.clear();
    },
  };
}
