import type { Form } from '../model/form.ts';
import type { RecognizedText } from '../model/document.ts';
import type { ListValue } from '../model/list-value.ts';
import type { OrgUnit } from '../model/org-unit.ts';
import type { Organization } from '../model/organization.ts';
import type { Person } from '../model/person.ts';
import type { DocumentResponse } from '../model/workflow.ts';
import { nodeTypes, resources, type NodeType } from '../model/resource.ts';
import type { Dms } from '../rest/resources/dms.ts';
import { DocumentLoader } from './document-loader.ts';
import { FormLoader } from './form-loader.ts';
import { KeyedLoader } from './keyed-loader.ts';

type Table = typeof resources;

/** The types whose objects are read by `dms.<many>.get(key)`. The others have loaders of their own. */
type KeyedType = Exclude<NodeType, 'Document' | 'Form'>;

type KeyedLoaders = Pick<Loaders, Table[KeyedType]['one']>;

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
export interface Loaders {
  readonly document: DocumentLoader;
  readonly documentResponse: KeyedLoader<DocumentResponse>;
  readonly form: FormLoader;
  readonly listValue: KeyedLoader<ListValue>;
  readonly organization: KeyedLoader<Organization>;
  readonly orgUnit: KeyedLoader<OrgUnit>;
  readonly person: KeyedLoader<Person>;
  /** The full ID of the organization that has an ID now, for writes. It never comes from the cache. */
  readonly organizationFullId: KeyedLoader<string>;
  /** The values of a directory by its full ID. */
  readonly valuesOf: KeyedLoader<readonly ListValue[]>;
  /** All directories. The only key is `''`. */
  readonly directories: KeyedLoader<readonly ListValue[]>;
  /**
   * Recognized text. The key is the page (counted from 0; empty for all pages), a space and the document ID, which can
   * contain spaces itself.
   */
  readonly recognizedText: KeyedLoader<RecognizedText>;
  /** Discards everything that was read. Called after a write, which may have changed any object. */
  clear(): void;
}

/**
 * Creates the loaders of one operation: one for each type with a key, by its name in the table of resources, and others.
 *
 * @param declaredForms all forms, which are then not read from the DMS. Null if they are not declared.
 */
export function createLoaders(dms: Dms, declaredForms: readonly Form[] | null = null): Loaders {
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
    form: new FormLoader(
      { all: () => dms.forms.all(), get: (id) => dms.forms.get(id) },
      declaredForms,
    ),
    organizationFullId: new KeyedLoader((id) => dms.organizations.fullIdOf(id)),
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
