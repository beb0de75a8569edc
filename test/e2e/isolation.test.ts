import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';

/*
 * Two users behind one credential, with every cache on: whatever is shared, kept or in flight, nobody ever
 * sees what the other sees.
 */

const secret = 'a secret of more than 32 characters, for tests';
const sign = (email: string) =>
  new SignJWT({ email })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(secret));

const users = ['usr-ann', 'usr-dina'] as const;

const operations: readonly [document: string, variables?: Record<string, unknown>][] = [
  ['{ viewer { runAs person { email } } }'],
  ['{ documents(view: INBOX, first: 5) { totalCount nodes { shortId author { systemId } } } }'],
  ['{ documents(view: MY_DOCS, first: 3) { totalCount nodes { shortId files { name } } } }'],
  ['{ documents(view: ALL, first: 2) { totalCount nodes { shortId values { tag } } } }'],
  ['query ($id: ID!) { document(id: $id) { shortId state } }', { id: 'DOC-0191' }],
  [
    'query ($id: ID!) { document(id: $id) { response { fullId author { systemId } } } }',
    { id: 'DOC-0191' },
  ],
  ['{ person(id: "usr-bob") { email } organizations(first: 3) { nodes { name } } }'],
  ['{ directories { value values { value } } }'],
];

it('never gives one user the answer of another in 2,000 interleaved requests', async () => {
  const { query, fetch, url } = await startGatewayOnSandbox({
    server: {
      identity: {
        mode: 'jwt',
        secret,
        jwksUrl: null,
        issuer: null,
        audience: null,
        runAsClaim: 'email',
      },
    },
    http: { cacheTtlMs: 60_000 },
  });
  const tokens = await Promise.all(users.map(sign));
  const ask = async (user: number, operation: number): Promise<string> => {
    const [document, variables] = operations[operation]!;
    const { data, errors } = await query(document, variables, {
      authorization: `Bearer ${tokens[user]}`,
    });
    return JSON.stringify({ data, codes: errors?.map(({ extensions }) => extensions['code']) });
  };
  const linkOf = async (user: number): Promise<string> => {
    const { data } = await query(
      '{ documents(view: MY_DOCS, first: 1) { nodes { files { url } } } }',
      {},
      { authorization: `Bearer ${tokens[user]}` },
    );
    return (data.documents.nodes[0].files[0].url as string).slice(url.length);
  };

  // What each sees alone, one request after the other.
  const alone: string[][] = [];
  for (const user of users.keys()) {
    const answers: string[] = [];
    for (const operation of operations.keys()) answers.push(await ask(user, operation));
    alone.push(answers);
  }
  expect(alone[0]!.filter((answer, i) => answer !== alone[1]![i]).length).toBeGreaterThan(4);
  const links = [await linkOf(0), await linkOf(1)];
  const files = await Promise.all(links.map(async (link) => (await fetch(link)).text()));
  expect(files[0]).not.toBe(files[1]);

  const wrong: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < 2000) {
      const turn = next++;
      const user = turn % 2;
      const operation = (turn >> 1) % (operations.length + 1);
      if (operation < operations.length) {
        const answer = await ask(user, operation);
        if (answer !== alone[user]![operation]) wrong.push(`${users[user]}: ${answer}`);
        continue;
      }
      // Each follows a link of one of the two with a token of one of the two.
      const owner = (turn >> 3) % 2;
      const response = await fetch(links[owner]!, {
        headers: { authorization: `Bearer ${tokens[user]}` },
      });
      const body = await response.text();
      const right = owner === user ? body === files[owner] : response.status === 403;
      if (!right) wrong.push(`${users[user]} by a link of ${users[owner]}: ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: 48 }, worker));
  expect(wrong).toEqual([]);
}, 120_000);
