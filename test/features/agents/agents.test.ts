import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { connectMcp } from './mcp-client.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const name = '@modelcontextprotocol/server';

/** Runs code in the gateway before anything else. */
const withHook = (hook: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `import { registerHooks } from 'node:module'; registerHooks({ ${hook} });`,
  )}`,
});

/** The settings of the command in the README of the example. */
function exampleSettings(): Record<string, string> {
  const readme = readFileSync('examples/agents/README.md', 'utf8');
  const [, settings] = /```sh\n(.*) npm start\n```/.exec(readme)!;
  return Object.fromEntries(settings!.split(' ').map((one) => one.split('=')));
}

it('lets an agent work on an inbox', async () => {
  const settings = { ...exampleSettings(), DATA_DIR: temporaryDirectory() };
  const url = await addressOf(spawnGateway(settings));
  const people = (await (await fetch(`${url}/sandbox/people`)).json()) as {
    people: { systemId: string; token: string }[];
  };
  const inboxes: string[][] = [];
  for (const { token } of people.people.slice(0, 2)) {
    const client = await connectMcp(url, { authorization: `Bearer ${token}` });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint])).toEqual([
      ['Inbox', true],
      ['Document', true],
      ['Respond', false],
    ]);
    const inbox = await client.call('Inbox', { first: 20 });
    const ids = inbox.data.documents.nodes.map(({ shortId }: { shortId: string }) => shortId);
    expect(ids.length).toBeGreaterThan(0);
    inboxes.push(ids);
    const { document } = (await client.call('Document', { id: ids[0] })).data;
    expect(document).toMatchObject({ shortId: ids[0], values: expect.any(Array) });
    const { revision } = document.meta;
    const changed = { document: ids[0], action: 'APPROVE', revision: revision - 1 };
    expect((await client.call('Respond', changed)).data).toMatchObject({
      respondToDocument: { __typename: 'ConflictError' },
    });
    expect(
      (await client.call('Respond', { ...changed, revision, comment: 'Checked.' })).data,
    ).toMatchObject({ respondToDocument: { __typename: 'RespondToDocumentPayload' } });
  }
  expect(inboxes[0]).not.toEqual(inboxes[1]);
});

it('loads nothing of the protocol unless MCP is on', { tags: ['nightly'] }, async () => {
  const load = `load(url, context, next) {
    if (/modelcontextprotocol|\\/agents\\/mcp/.test(url)) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  }`;
  const { PERSISTED_DOCUMENTS = '' } = exampleSettings();
  for (const MCP of ['off', 'on']) {
    const settings = { PERSISTED_DOCUMENTS, MCP, DATA_DIR: temporaryDirectory() };
    const gateway = spawnGateway({ ...withHook(load), ...settings });
    const url = await addressOf(gateway);
    expect((await fetch(`${url}/readyz`)).status).toBe(200); // everything is loaded
    expect(gateway.output().includes('loaded ')).toBe(MCP === 'on');
  }
});

it('does not start without the package, and names it', { tags: ['nightly'] }, async () => {
  const resolve = `resolve(specifier, context, next) {
    if (specifier === '${name}') throw Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  }`;
  const settings = { ...exampleSettings(), DATA_DIR: temporaryDirectory() };
  const gateway = spawnGateway({ ...withHook(resolve), ...settings });
  expect(await gateway.exited).toBe(1);
  const version = packageJson.peerDependencies[name];
  expect(gateway.output()).toContain(
    `The gateway cannot start: MCP=on needs the package ${name}, which is not installed. Run \`npm install ${name}@${version}\`.`,
  );
});
