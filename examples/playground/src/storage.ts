import { readStorage, writeStorage } from '../../ui/storage.ts';

/** Where GraphiQL keeps its tabs: those of each browser tab. A new browser tab begins with those that were written last. */
const tabsKey = 'graphiql:tabState';

if (readStorage('sessionStorage', tabsKey) === null) {
  writeStorage('sessionStorage', tabsKey, readStorage('localStorage', tabsKey));
}

export const storage: Storage = {
  length: 0,
  key: () => null,
  clear() {},
  getItem: (key) => readStorage(key === tabsKey ? 'sessionStorage' : 'localStorage', key),
  setItem(key, value) {
    if (key === tabsKey) writeStorage('sessionStorage', key, value);
    writeStorage('localStorage', key, value);
  },
  removeItem(key) {
    writeStorage('localStorage', key, null);
  },
};

interface StartTab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
  readonly operationName: string | null;
}

/**
 * Returns what the page begins with: the operation of a link, otherwise the tab that was shown last. Null on a first visit.
 * The link leaves the address, so that loading the page again keeps what was changed.
 */
export function readStartTab(): StartTab | null {
  const params = new URLSearchParams(location.search);
  const query = params.get('query');
  const variables = params.get('variables') ?? '';
  if (query === null) return readActiveTab();
  history.replaceState(history.state, '', location.pathname);
  return { query, variables, headers: '', operationName: params.get('operationName') };
}

function readActiveTab(): StartTab | null {
  try {
    const { tabs, activeTabIndex } = JSON.parse(storage.getItem(tabsKey) ?? '') as {
      readonly tabs: readonly { readonly [name in keyof StartTab]: string | null }[];
      readonly activeTabIndex: number;
    };
    const { query, variables, headers, operationName } = tabs[activeTabIndex]!;
    return {
      query: query ?? '',
      variables: variables ?? '',
      headers: headers ?? '',
      operationName,
    };
  } catch {
    return null;
  }
}
