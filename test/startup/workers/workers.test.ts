import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { logged, logOf, sendQuery, spawnGateway, suspend } from '../../helpers/process.ts';
import { connectTo, startWorkers, type WorkerClient, type Workers } from '../../helpers/workers.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

const person = '{ person(id: "usr-ann") { email } }';
const rename = 'mutation { updatePerson(input: { id: "usr-ann", firstName: "x" }) { __typename } }';
const email = (text: string) => ({ data: { person: { email: text } } });
const renamed = { data: { updatePerson: { __typename: 'UpdatePersonPayload' } } };

/** A DMS with one person, whose e-mail address contains the number of writes. Responses to reads can be delayed. */
async function startDms() {
  let version = 0;
  let reads = 0;
  let hold: PromiseWithResolvers<void> | null = null;
  let came = Promise.withResolvers<void>();
  const dms = await startFailingDms((request, response) => {
    if (request.url === '/') return void response.end(); // at the start
    if (request.method === 'GET') reads += 1;
    else version += 1;
    const body = JSON.stringify({ _id_sys: 'usr-ann', email: `v${version}` });
    const answer = (): void => void response.end(body);
    if (request.method === 'GET' && hold !== null) {
      void hold.promise.then(answer);
      came.resolve();
    } else {
      request.resume().once('end', answer);
    }
    return undefined;
  });
  return {
    url: dms.url,
    reads: () => reads,
    /** From now on, reads return the current state after a delay. Resolves when the first one has arrived. */
    holdReads() {
      hold = Promise.withResolvers();
      came = Promise.withResolvers();
      return { came: came.promise, release: hold.resolve };
    },
    letReads() {
      hold = null;
    },
  };
}

/** Starts two workers with such a DMS. */
async function startTwo(settings: Readonly<Record<string, string>> = {}) {
  const dms = await startDms();
  const workers = await startWorkers(2, { DMS_URL: dms.url, ...settings });
  const [one, two] = workers.clients;
  return { dms, ...workers, one: one!, two: two! };
}

/** The log lines about processes: message and worker. */
function processLog({ gateway }: Pick<Workers, 'gateway'>): string[] {
  return logOf(gateway)
    .filter(({ msg }) => msg !== 'request' && msg !== 'gateway started')
    .map(({ msg, worker }) =>
      typeof worker === 'number' ? `${String(msg)} ${worker}` : String(msg),
    );
}

const headers = { 'apollo-require-preflight': '1' };

/** The value of one sample. */
function sample(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

/** The same sample of each worker in the metrics of one of them. NaN if it is missing. */
async function ofEach(
  workers: readonly number[],
  client: WorkerClient,
  name: string,
  labels: string,
): Promise<number[]> {
  const { body } = await client.get('/metrics');
  return workers.map((worker) => sample(body, `${name}{${labels},worker="${worker}"}`));
}

/** IDs of child processes, separated by spaces. */
function childrenOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
}

/** Whether a process runs. A zombie does not. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

it('WORKERS shares one sandbox and the file link key', async () => {
  const { clients } = await startWorkers(2, { DATA_DIR: temporaryDirectory() });
  const [one, two] = clients;
  const answer = await one!.query('{ document(id: "DOC-0191") { files { url } } }');
  const { url } = (answer as { data: { document: { files: { url: string }[] } } }).data.document
    .files[0]!;
  const { pathname, search } = new URL(url);
  const files = [await one!.get(pathname + search), await two!.get(pathname + search)];
  expect(files.map(({ status }) => status)).toEqual([200, 200]);
  expect(files[1]!.body).toBe(files[0]!.body);
  expect((await two!.get(`${pathname}${search}x`)).status).toBe(403);
});

describe('a write through one worker', () => {
  it('is visible to all workers at once, which share one port', async () => {
    const { dms, one, two, gateway, url, pids } = await startTwo();
    expect([one.worker, two.worker]).toEqual([1, 2]);
    expect(new Set([gateway.child.pid, ...pids]).size).toBe(3);
    const starts = logOf(gateway).filter(({ msg }) => msg === 'gateway started');
    expect(starts).toMatchObject([{ url }]);
    for (const client of [one, two, one, two]) {
      expect(await client.query(person)).toEqual(email('v0'));
    }
    expect(dms.reads()).toBe(2);
    for (const [version, writer] of [one, two, one, two, one, two].entries()) {
      expect(await writer.query(rename)).toEqual(renamed);
      for (const client of [two, one]) {
        expect(await client.query(person)).toEqual(email(`v${version + 1}`));
      }
    }
    expect(dms.reads()).toBe(14);
  });

  it('prevents joining a read that began earlier', { tags: ['nightly'] }, async () => {
    const { dms, gateway, url, one, two } = await startTwo();
    const other = await connectTo(2, gateway, url);
    const { came, release } = dms.holdReads();
    const before = two.query(person);
    await came;
    dms.letReads();
    expect(await one.query(rename)).toEqual(renamed);
    expect(await other.query(person)).toEqual(email('v1'));
    release();
    expect(await before).toEqual(email('v0'));
    expect(await two.query(person)).toEqual(email('v1'));
    expect(dms.reads()).toBe(2);
  });
});

it(
  'RATE_LIMIT counts the calls of a user in all workers together, also after a restart',
  { tags: ['nightly'] },
  async () => {
    const { gateway, url, pids, one, two } = await startTwo({
      RATE_LIMIT: '3',
      CACHE_TTL_MS: '0',
    });
    const limited = { errors: [{ extensions: { code: 'RATE_LIMITED' } }] };
    for (const client of [one, two, one]) expect(await client.query(person)).toEqual(email('v0'));
    for (const client of [two, one]) expect(await client.query(person)).toMatchObject(limited);
    process.kill(pids[1]!, 'SIGKILL');
    await logged(gateway, { msg: 'worker started', worker: 2 });
    const replacement = await connectTo(2, gateway, url);
    expect(await replacement.query(person)).toMatchObject(limited);
  },
);

it('/metrics omits only a worker that hangs', { tags: ['nightly'] }, async () => {
  const { url } = await startDms();
  const { clients, pids } = await startWorkers(3, { DMS_URL: url });
  for (const client of clients) await client.query(person);
  const name = 'gateway_cache_reads_total';
  const misses = () => ofEach([1, 2, 3], clients[0]!, name, 'outcome="miss"');
  await suspend(pids[1]!);
  await expect.poll(misses).toEqual([1, NaN, 1]);
  process.kill(pids[1]!, 'SIGCONT');
  await expect.poll(misses).toEqual([1, 1, 1]);
});

it('a worker that is killed does not block clients', { tags: ['nightly'] }, async () => {
  const { dms, gateway, url, one, two, pids } = await startTwo();
  // The kernel accepts its connections, which are neither served nor refused.
  process.kill(pids[1]!, 'SIGSTOP');
  const { came, release } = dms.holdReads();
  const outcomes: string[] = [];
  const clients = Array.from({ length: 20 }, () =>
    fetch(`${url}/graphql?query=${encodeURIComponent(person)}`, { headers })
      .then((response) => response.text())
      .then(
        () => outcomes.push('answered'),
        () => outcomes.push('cut'),
      ),
  );
  const waiting = two.query(person).catch(() => 'cut');
  await came;
  process.kill(pids[1]!, 'SIGKILL');
  expect(await waiting).toBe('cut');
  await logged(gateway, { msg: 'worker ended', worker: 2 });
  expect(outcomes).not.toContain('answered');
  release();
  await Promise.all(clients);
  expect(new Set(outcomes)).toEqual(new Set(['answered', 'cut']));
  expect(await one.query(person)).toEqual(email('v0'));
});

describe('a signal', () => {
  /** Starts two workers, each with a request that waits for the DMS. */
  async function startBusy(settings: Readonly<Record<string, string>> = {}) {
    const started = await startTwo(settings);
    const { dms, one, two } = started;
    const answers: Promise<unknown>[] = [];
    let finish = (): void => {};
    for (const client of [one, two]) {
      const { came, release } = dms.holdReads();
      answers.push(client.query(person).catch(() => 'cut'));
      await came;
      const finishOther = finish;
      finish = () => {
        finishOther();
        release();
      };
    }
    return { ...started, answers: Promise.all(answers), finish };
  }

  it.each([
    ['SIGTERM', 'to the primary', 1],
    ['SIGINT', 'to the whole group', -1],
  ] as const)('%s %s lets requests end, and exits 0', async (signal, _whom, sign) => {
    const busy = await startBusy();
    const { gateway, answers, finish, pids } = busy;
    process.kill(sign * gateway.child.pid!, signal);
    expect(await logged(gateway, { msg: 'stopping' })).toMatchObject({ signal });
    finish();
    expect(await answers).toEqual([email('v0'), email('v0')]);
    expect(await gateway.exited).toBe(0);
    const lines = processLog(busy);
    expect(lines.slice(0, 2)).toEqual(['workers started', 'stopping']);
    expect(lines.slice(2, 4).toSorted()).toEqual(['stopped 1', 'stopped 2']);
    expect(lines.slice(4)).toEqual(['stopped']);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it('to the whole group during the start stops cleanly', { tags: ['nightly'] }, async () => {
    const dms = await startDms();
    const gateway = spawnGateway({ WORKERS: '2', DMS_URL: dms.url });
    const pid = gateway.child.pid!;
    await expect.poll(() => childrenOf(pid)).toMatch(/\d/);
    process.kill(-pid, 'SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(processLog({ gateway }).at(-1)).toBe('stopped');
  });

  it('lets workers answer requests that are already sent', { tags: ['nightly'] }, async () => {
    const { gateway, url, pids } = await startTwo();
    for (const pid of pids) await suspend(pid);
    const sent = await Promise.all(Array.from({ length: 6 }, () => sendQuery(url)));
    gateway.child.kill('SIGTERM');
    await logged(gateway, { msg: 'stopping' });
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    for (const { text } of sent) expect(await text).toMatch(/"data"|"SHUTTING_DOWN"/);
    expect(await gateway.exited).toBe(0);
  });

  it('ends all processes on the second signal', { tags: ['nightly'] }, async () => {
    const { gateway, pids, answers } = await startBusy();
    gateway.child.kill('SIGTERM');
    await logged(gateway, { msg: 'stopping' });
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(1);
    expect(await answers).toEqual(['cut', 'cut']);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    expect(processLog({ gateway }).at(-1)).toBe('stopping');
  });

  it('that kills the primary lets workers finish requests', { tags: ['nightly'] }, async () => {
    const { gateway, answers, finish, pids } = await startBusy();
    gateway.child.kill('SIGKILL');
    await new Promise((resolve) => {
      gateway.child.once('exit', resolve);
    });
    finish();
    expect(await answers).toEqual([email('v0'), email('v0')]);
    // The output streams that they share with it are closed.
    expect(await gateway.exited).toBeNull();
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});
