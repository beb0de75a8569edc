import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../helpers/gateway.ts';
import { jwtIdentity, tokenWith } from '../helpers/jwt.ts';

const documentId = '65f000005eed00d0000000bf';

/** Every kind of read: cached, shared, joined, exclusive, paged, with links. Every response contains its user. */
const queries = [
  '{ person(id: "usr-x") { email } }',
  '{ orgUnit(id: "unit-x") { name } }',
  '{ organizations(first: 5) { nodes { name } } }',
  '{ directories { value values { value } } }',
  `{ document(id: "${documentId}") { shortId files { name url } } }`,
  `{ document(id: "${documentId}") { response { content } } }`,
  '{ documents(view: INBOX, first: 2) { nodes { shortId tags } } }',
  `{ document(id: "${documentId}") { tags refByDocs(first: 1) { totalCount } author { ... on Person { email } } } }`,
];

/** A DMS whose responses contain the credential and run-as of the request. */
async function startEcho(options: TestGatewayOptions) {
  const gateway = await startGateway({
    server: { ...options.server, ...compiledAfter(2) },
    http: { cacheTtlMs: 60_000, connections: 8 },
  });
  let arrived = 0;
  const answer =
    (value: (who: string) => unknown) => async (request: { headers: Record<string, string> }) => {
      // Answers in another order than that of the requests.
      arrived += 1;
      for (let turns = (arrived * 7) % 5; turns > 0; turns -= 1) await nextIteration();
      return value(`${request.headers['authorization']}|${request.headers['svc-run-as'] ?? '-'}`);
    };
  const document = (who: string) => ({
    _id: documentId,
    _id_web: who,
    author: 'usr-x',
    _tags: [who],
    filesList: [{ id: 'f1', fileName: who }],
    refByDocs: [],
    docResponse: { _id: documentId, content: who },
  });
  const replies: readonly [RegExp, (who: string) => unknown][] = [
    [/\/person\//, (who) => ({ _id_sys: 'usr-x', email: who })],
    [/\/orgUnit\//, (who) => ({ _id_sys: 'unit-x', name: who })],
    [/\/crm\/org/, (who) => [{ _id: documentId, name: who }]],
    [/\/listValue/, (who) => [{ _id: documentId, value: { en: who } }]],
    [/\/docForm\//, document],
    [/\/docForm\/view\//, (who) => [document(who)]],
    [/\/file\//, (who) => who],
  ];
  for (const [path, value] of replies) gateway.dms.reply('GET', path, answer(value));
  return gateway;
}

interface User {
  readonly headers: Record<string, string>;
  /** The user in responses of the DMS. */
  readonly seen: string;
}

/** Sends concurrent requests of two users, and returns the responses for the wrong user. */
async function mixUp(
  gateway: TestGateway,
  users: readonly [User, User],
  count: number,
): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next; i < count; i = next) {
      next += 1;
      const user = users[i % 2 === 0 ? 0 : 1];
      const other = users[i % 2 === 0 ? 1 : 0];
      const query = queries[(i >> 1) % queries.length] ?? '';
      const { data, errors } = await gateway.query(query, {}, user.headers);
      const text = JSON.stringify(data);
      const [, link] = /"url":"([^"]+)"/.exec(text) ?? [];
      const files = link === undefined ? '' : await follow(link, user, other);
      if (errors || (text + files).includes(other.seen) || !text.includes(user.seen)) {
        wrong.push(text + files);
      }
    }
  };
  await Promise.all(Array.from({ length: 40 }, work));
  return wrong;
}

/** The responses of a link for its owner, for anonymous clients, and, if it is signed, for the other user. */
async function follow(link: string, owner: User, other: User): Promise<string> {
  const isSigned = link.includes('?t=');
  const mine = await fetch(link, { headers: owner.headers });
  let text = await mine.text();
  if (!isSigned) return text;
  text += await (await fetch(link)).text();
  const borrowed = await fetch(link, { headers: other.headers });
  await borrowed.arrayBuffer();
  return borrowed.status === 403 ? text : `${text} ${other.seen} by a borrowed link`;
}

describe('two users at the same time', () => {
  it('get separate responses by token', async () => {
    const gateway = await startEcho({ server: { identity: jwtIdentity } });
    const user = async (email: string): Promise<User> => {
      const token = await tokenWith({ email });
      return { headers: { authorization: `Bearer ${token}` }, seen: `Bearer service|${email}` };
    };
    const users = [await user('ann@example.com'), await user('bob@example.com')] as const;
    expect(await mixUp(gateway, users, 160)).toEqual([]);
    // Caching and sharing were active: otherwise the DMS would have received far more requests.
    expect(gateway.dms.requests.length).toBeLessThan(160);
  });

  it('get separate responses by credential and run-as', async () => {
    const gateway = await startEcho({
      server: { identity: { mode: 'passthrough' }, credential: null },
    });
    const user = (authorization: string, runAs: string): User => ({
      headers: { authorization, 'svc-run-as': runAs },
      seen: `${authorization}|${runAs}`,
    });
    // One credential with two run-as values, then two combinations that are equal when joined.
    expect(
      await mixUp(gateway, [user('Bearer a', 'usr-1'), user('Bearer a', 'usr-2')], 160),
    ).toEqual([]);
    expect(await mixUp(gateway, [user('Bearer a', 'b:c'), user('Bearer a:b', 'c')], 160)).toEqual(
      [],
    );
  });
});
