import { request, type ClientRequest, type IncomingMessage } from 'node:http';

/** A part of a multipart request. A part with a file name is a file. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly body: string | Uint8Array;
}

const boundary = 'test-boundary';

/** The bytes of a GraphQL multipart request with these parts in this order. */
export function multipart(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap((part) => [headOf(part), part.body, '\r\n']);
  return Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
}

function headOf({ name, filename }: Part): string {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
}

export const multipartHeaders = {
  'content-type': `multipart/form-data; boundary=${boundary}`,
  'apollo-require-preflight': '1',
  accept: 'application/json',
};

/** `operations`, `map` and the files of a request that creates a document. */
export function createDocumentParts(
  files: readonly { readonly filename: string; readonly body: string | Uint8Array }[],
  order: readonly number[] = [...files.keys()],
): Part[] {
  const query = `mutation Create($input: CreateDocumentInput!) {
    createDocument(input: $input) {
      __typename
      ... on CreateDocumentPayload { document { fullId files { name url } } workflowError }
      ... on Error { message }
      ... on ValidationError { issues { path message } }
    }
  }`;
  const input = { form: 'memo', files: files.map(() => null) };
  const operations = JSON.stringify({ query, variables: { input } });
  const map = Object.fromEntries(files.map((_, i) => [`${i}`, [`variables.input.files.${i}`]]));
  const parts = files.map((file, i) => ({ name: `${i}`, ...file }));
  return [
    { name: 'operations', body: operations },
    { name: 'map', body: JSON.stringify(map) },
    ...order.flatMap((i) => parts[i] ?? []),
  ];
}

export interface Uploading {
  readonly req: ClientRequest;
  readonly response: Promise<{ readonly status: number; readonly body: string }>;
}

/** Starts a multipart request whose bytes the test writes itself. */
export function startUpload(url: string): Uploading {
  const req = request(`${url}/graphql`, { method: 'POST', headers: multipartHeaders });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    req.on('response', resolve);
    req.on('error', reject);
  }).then(async (res) => {
    let body = '';
    for await (const chunk of res) body += String(chunk);
    return { status: res.statusCode ?? 0, body };
  });
  response.catch(() => {}); // a test that aborts the request may ignore the response
  return { req, response };
}
