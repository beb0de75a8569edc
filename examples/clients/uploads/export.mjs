/*
 * Exports all documents with their files to the folder `export`. With `IDENTITY=passthrough` and `jwt`, add the headers of
 * the user to the query, and in `passthrough` mode also to each download.
 */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

const gateway = process.argv[2] ?? 'http://127.0.0.1:4000/graphql';
const query = `query ($after: String) {
  documents(view: ALL, first: 20, after: $after) {
    nodes { id fullId files { id name url } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const exported = new Set();

async function exportPage(after) {
  const response = await fetch(gateway, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { after } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  const { nodes, pageInfo } = data.documents;
  for (const { fullId, files } of nodes.filter((node) => !exported.has(node.fullId))) {
    await mkdir(`export/${fullId}`, { recursive: true });
    for (const { id, name, url } of files) {
      const file = await fetch(url);
      if (!file.ok) throw new Error(`${name} of ${fullId}: ${file.status}`);
      await pipeline(file.body, createWriteStream(`export/${fullId}/${id}`));
    }
    exported.add(fullId);
  }
  return pageInfo.hasNextPage ? pageInfo.endCursor : null;
}

let before;
do {
  before = exported.size;
  let after = null;
  do after = await exportPage(after);
  while (after !== null);
} while (exported.size > before);
process.stdout.write(`${exported.size} documents\n`);
