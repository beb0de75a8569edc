import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
}

/**
 * Sends an operation. The document determines the types of its variables and its data. Clients such as Apollo Client and
 * urql accept the same documents.
 *
 * @throws {Error} with the messages of the errors, if the result has any
 */
export async function execute<Data, Variables>(
  url: string,
  document: TypedDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as Answer<Data>;
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  if (data == null) throw new Error(`The result has no data (status ${response.status}).`);
  return data;
}
