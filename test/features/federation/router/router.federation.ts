import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectOutput } from '../../../helpers/child-output.ts';

/* The example as a reader starts it: the gateway on its sandbox, the comments and Hive Gateway in front of both. */

interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows the shape of its result
  readonly data: any;
  readonly errors?: readonly {
    readonly path?: readonly unknown[];
    readonly extensions?: { readonly code?: string };
  }[];
}

let url = '';
let tokens: ReadonlyMap<string, string> = new Map();
let stop = async (): Promise<void> => {};

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'federation-test-'));
  const child = spawn(process.execPath, ['examples/federation/start.ts'], {
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = collectOutput(child);
  stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (/^bob: .+\n/m.test(output())) resolve();
    });
    child.once('close', (code) => {
      reject(new Error(`The example exited with code ${code}: ${output()}`));
    });
  });
  url = /^Router: (\S+)/m.exec(output())![1]!;
  tokens = new Map(
    [...output().matchAll(/^(\w+): Authorization: (.+)$/gm)].map(([, user, token]) => [
      user!,
      token!,
    ]),
  );
});

afterAll(() => stop());

async function ask(query: string, user?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(user !== undefined && { authorization: tokens.get(user)! }),
    },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
}

const commented = (user: string) =>
  ask('{ comments { document { shortId files { name } } } }', user).then(({ data }) =>
    (data.comments as { document: { shortId: string } | null }[]).map(
      ({ document }) => document?.shortId ?? null,
    ),
  );

it('follows a query from comments through documents to files and authors, and back', async () => {
  const { data, errors } = await ask(
    `{
      comments {
        text
        author { fullName }
        document {
          shortId
          tags
          author { ... on Person { fullName comments { text document { fullId } } } }
          comments { text }
        }
      }
    }`,
    'ann',
  );
  expect(errors?.map(({ path }) => path)).toEqual([['comments', 0, 'document', 'tags']]);
  const [hidden, own, shared] = data.comments as readonly unknown[];
  expect(hidden).toEqual({
    text: 'The request is complete.',
    author: { fullName: 'Bob Osei' },
    document: null,
  });
  expect(own).toEqual({
    text: 'Please pay by the end of the month.',
    author: { fullName: 'Ann Louise Keller' },
    document: {
      shortId: 'DOC-0194',
      tags: expect.any(Array) as unknown,
      author: { fullName: 'Dina Petrivna Kovalenko', comments: [] },
      comments: [{ text: 'Please pay by the end of the month.' }],
    },
  });
  expect(shared).toMatchObject({
    document: {
      shortId: 'DOC-0198',
      author: {
        fullName: 'Ann Louise Keller',
        comments: [
          { document: { fullId: '65f000005eed00d0000000c6' } },
          { document: { fullId: '65f000005eed00d0000000c2' } },
        ],
      },
    },
  });
});

it('shows each user the documents of that user, many at the same time too', async () => {
  const ann = [null, 'DOC-0194', 'DOC-0198', 'DOC-0198'];
  const bob = ['DOC-0195', null, 'DOC-0198', 'DOC-0198'];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => commented(n % 2 === 0 ? 'ann' : 'bob')),
  );
  expect(answers).toEqual(answers.map((_, n) => (n % 2 === 0 ? ann : bob)));
});

it('shows nothing of a document without a token, and says why', async () => {
  const { data, errors } = await ask('{ comments(first: 1) { text document { shortId } } }');
  expect(data).toEqual({
    comments: [{ text: 'The request is complete.', document: { shortId: null } }],
  });
  expect(errors).toMatchObject([
    { path: ['comments', 0, 'document', 'shortId'], extensions: { code: 'UNAUTHENTICATED' } },
  ]);
});
