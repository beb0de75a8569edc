import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PrimaryConnection, type QuestionHandlers } from '../../src/workers/primary-connection.ts';
import type { WorkerConfig, ToWorker, WrittenResources } from '../../src/workers/messages.ts';
import { QuestionRelay, type Peer } from '../../src/workers/request-relay.ts';

const primaryMs = 1000;
const workerMs = 1250;

/** Connects a worker and the primary without processes. Messages arrive in order and asynchronously. */
function startMember(relay: QuestionRelay, respondWith: Partial<QuestionHandlers> = {}) {
  const forgotten: string[] = [];
  const peer: Peer = { send: (message) => queueMicrotask(() => primary.receive(message)) };
  const primary = new PrimaryConnection((message, sent) => {
    queueMicrotask(() => {
      if (message.kind === 'joined') relay.join(peer);
      if (message.kind === 'ask') relay.ask(peer, message);
      if (message.kind === 'reply') relay.reply(peer, message);
      sent?.();
    });
  }, workerMs);
  primary.join({
    forget: ({ resources }) => void forgotten.push(resources.join()),
    figures: async () => [],
    ...respondWith,
  });
  return { link: primary, peer, forgotten };
}

const written = (resources: WrittenResources['resources']): WrittenResources => ({
  resources,
  document: null,
});

/** A worker that never answers. */
const hung: Partial<QuestionHandlers> = { forget: () => new Promise(() => {}) };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  if (left > 0) throw new Error(`${left} time limits were left running`);
});

it('answers a ping before it has joined', () => {
  const sent: unknown[] = [];
  const primary = new PrimaryConnection((message) => sent.push(message), workerMs);
  primary.receive({ kind: 'ping' });
  expect(sent).toEqual([{ kind: 'pong' }]);
});

describe('a question', () => {
  it('reaches all other workers', async () => {
    const relay = new QuestionRelay(primaryMs);
    const [asker, ...others] = [startMember(relay), startMember(relay), startMember(relay)];
    const answers = await asker.link.ask('forget', written(['persons', 'orgUnits']));
    expect(answers).toHaveLength(2);
    expect(others.map(({ forgotten }) => forgotten)).toEqual([
      ['persons,orgUnits'],
      ['persons,orgUnits'],
    ]);
    expect(asker.forgotten).toEqual([]);
  });

  it('has no answers without other workers', async () => {
    expect(await startMember(new QuestionRelay(primaryMs)).link.ask('forget', written([]))).toEqual(
      [],
    );
  });

  it('returns the answer of each worker', async () => {
    const relay = new QuestionRelay(primaryMs);
    const asker = startMember(relay);
    for (const name of ['a', 'b']) {
      const figure = { name, help: '', values: [] } as never;
      startMember(relay, { figures: async () => [figure] });
    }
    const answers = await asker.link.ask('figures', null);
    expect(answers.flat().map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is separate from other pending questions', async () => {
    const relay = new QuestionRelay(primaryMs);
    const [one, two] = [startMember(relay), startMember(relay)];
    await Promise.all([
      one.link.ask('forget', written(['persons'])),
      one.link.ask('forget', written(['forms'])),
      two.link.ask('forget', written(['organizations'])),
    ]);
    expect(two.forgotten).toEqual(['persons', 'forms']);
    expect(one.forgotten).toEqual(['organizations']);
  });

  it('waits for an answer up to the limit', async () => {
    const relay = new QuestionRelay(primaryMs);
    const asker = startMember(relay);
    startMember(relay, hung);
    const other = startMember(relay);
    const asked = asker.link.ask('forget', written(['forms']));
    await vi.advanceTimersByTimeAsync(primaryMs);
    expect(await asked).toHaveLength(1);
    expect(other.forgotten).toEqual(['forms']);
  });

  it('does not wait for an ended worker', async () => {
    const relay = new QuestionRelay(primaryMs);
    const asker = startMember(relay);
    const ended = startMember(relay, hung);
    const asked = asker.link.ask('forget', written(['forms']));
    await vi.advanceTimersByTimeAsync(0);
    relay.leave(ended.peer);
    expect(await asked).toEqual([]);
    expect(await asker.link.ask('forget', written(['forms']))).toEqual([]);
  });

  it('is dropped when the asking worker ends', async () => {
    const relay = new QuestionRelay(primaryMs);
    const asker = startMember(relay);
    startMember(relay, hung);
    const asked = asker.link.ask('forget', written(['forms']));
    await vi.advanceTimersByTimeAsync(0);
    relay.leave(asker.peer);
    expect(await asked).toEqual([]);
  });

  it('ignores failed and late answers', async () => {
    const relay = new QuestionRelay(primaryMs);
    const asker = startMember(relay);
    const late = Promise.withResolvers<never[]>();
    startMember(relay, { figures: () => late.promise });
    startMember(relay, { figures: () => Promise.reject(new Error('x')) });
    const asked = asker.link.ask('figures', null);
    await vi.advanceTimersByTimeAsync(primaryMs);
    expect(await asked).toEqual([]);
    late.resolve([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await startMember(relay).link.ask('forget', written([]))).toHaveLength(3);
  });

  it('times out if the primary does not answer', async () => {
    const primary = new PrimaryConnection(() => {}, workerMs);
    const asked = primary.ask('forget', written(['forms']));
    await vi.advanceTimersByTimeAsync(workerMs);
    expect(await asked).toEqual([]);
  });

  it('ends without retry when the primary ends', async () => {
    const sent: string[] = [];
    const primary = new PrimaryConnection(({ kind }) => void sent.push(kind), workerMs);
    const asked = primary.ask('forget', written(['forms']));
    primary.lose();
    expect(await asked).toEqual([]);
    expect(await primary.ask('figures', null)).toEqual([]);
    expect(sent).toEqual(['ask']);
  });
});

describe('a worker', () => {
  it('receives its configuration and the stop message', async () => {
    const config: WorkerConfig = { worker: 1, port: 0, sandbox: null, fileUrlSecret: 's' };
    const primary = new PrimaryConnection(() => {}, workerMs);
    const messages: ToWorker[] = [{ kind: 'begin', config }, { kind: 'stop' }];
    for (const message of messages) primary.receive(message);
    expect(await primary.config).toEqual(config);
    expect(await primary.stopWanted).toBeUndefined();
  });

  it('stops when the primary ends', async () => {
    const primary = new PrimaryConnection(() => {}, workerMs);
    primary.lose();
    expect(await primary.stopWanted).toBeUndefined();
  });

  it('waits until its messages are sent', async () => {
    let done: (() => void) | undefined;
    const primary = new PrimaryConnection((_message, sent) => {
      done = sent;
    }, workerMs);
    const order: string[] = [];
    const told = primary.sendEvent({ kind: 'stopped', clean: true }).then(() => order.push('told'));
    await Promise.resolve();
    order.push('sent');
    done?.();
    await told;
    expect(order).toEqual(['sent', 'told']);
  });
});
