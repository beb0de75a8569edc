import { Environment, Network, RecordSource, Store, type FetchFunction } from 'relay-runtime';

export function createEnvironment(url: string): Environment {
  const fetchOperation: FetchFunction = async ({ id }, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ documentId: id, variables }),
    });
    return response.json();
  };
  const store = new Store(new RecordSource());
  return new Environment({ network: Network.create(fetchOperation), store });
}
