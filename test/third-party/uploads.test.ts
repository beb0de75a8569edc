import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';
import { blockOf } from '../helpers/page-block.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';
import * as apollo from '../../examples/clients/uploads/apollo.ts';
import * as urql from '../../examples/clients/uploads/urql.ts';

type SandboxGateway = Awaited<ReturnType<typeof startGatewayOnSandbox>>;

const offer = Buffer.from('%PDF-1.7 an offer\r\n--boundary\r\n\u0000\u0001');
const comparison = Buffer.alloc(300_000, 'comparison ');
const contents = { 'offer.pdf': offer, 'Vergleich “neu”.xlsx': comparison };

describe('curl', () => {
  it('uploads as documented', async () => {
    const gateway = await startGatewayOnSandbox();
    const { data, errors } = await curl(gateway, blockOf('uploads.md', 'curl'));
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ createDocument: { __typename: 'CreateDocumentPayload' } });
    expect(await storedBy(gateway, data)).toEqual({
      'offer.pdf': offer,
      'comparison.xlsx': comparison,
    });
  });
});

describe('Apollo Client with apollo-upload-client', () => {
  it('uploads two files', async () => {
    const gateway = await startGatewayOnSandbox();
    const client = apollo.connect(`${gateway.url}/graphql`);
    const { data } = await apollo.createPurchase(client, 'Two monitors', files());
    expect(await storedBy(gateway, data)).toEqual(contents);
    expect(writesTo(gateway)).toHaveLength(1);
  });
});

describe('urql', () => {
  it('uploads two files', async () => {
    const gateway = await startGatewayOnSandbox();
    const client = urql.connect(`${gateway.url}/graphql`);
    const { data, error } = await urql.createPurchase(client, 'Two monitors', files());
    expect(error).toBeUndefined();
    expect(await storedBy(gateway, data)).toEqual(contents);
    expect(writesTo(gateway)).toHaveLength(1);
  });
});

it('exports all documents with their files', async () => {
  const gateway = await startGatewayOnSandbox();
  const cwd = temporaryDirectory();
  const script = new URL('../../examples/clients/uploads/export.mjs', import.meta.url);
  const args = [fileURLToPath(script), `${gateway.url}/graphql`];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  expect(stdout).toBe('200 documents\n');
  expect(await readdir(join(cwd, 'export'))).toHaveLength(200);
});

function files(): File[] {
  return Object.entries(contents).map(([name, bytes]) => new File([bytes], name));
}

/** Runs a command of the page in a directory with its files. */
async function curl(
  gateway: SandboxGateway,
  command: string,
): Promise<{ data?: unknown; errors?: unknown }> {
  const cwd = temporaryDirectory();
  await writeFile(join(cwd, 'offer.pdf'), offer);
  await writeFile(join(cwd, 'comparison.xlsx'), comparison);
  const here = command.replace('http://127.0.0.1:4000', gateway.url);
  const { stdout } = await promisify(execFile)('sh', ['-c', here], { cwd });
  return JSON.parse(stdout);
}

/** Names and contents of the files of a created document, read through their links. */
async function storedBy(gateway: SandboxGateway, data: unknown): Promise<Record<string, Buffer>> {
  const found: Record<string, Buffer> = {};
  const created = data as {
    createDocument: { document: { files: { name: string; url: string }[] } };
  };
  for (const { name, url } of created.createDocument.document.files) {
    expect(url).toMatch(`${gateway.url}/files/`);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    found[name] = Buffer.from(await response.arrayBuffer());
  }
  return found;
}

/** The writes that the DMS received. */
function writesTo(gateway: SandboxGateway): string[] {
  return gateway.requests.filter((line) => !line.startsWith('GET '));
}
