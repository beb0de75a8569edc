import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Link, type Answering } from '../../src/workers/primary-connection.ts';
import type { Orders, ToWorker } from '../../src/workers/messages.ts';
import { Relay, type Peer } from '../../src/workers/request-relay.ts';

const primaryMs = 1000;
const workerMs = 1250;

/** A worker's end and the primary's, joined without processes; what is sent arrives in order and later. */
function startMember(relay: Relay, answering: Partial<Answering> = {}) {
  const forgotten: string[] = [];
  const peer: Peer = { send: (message) => queueMicrotask(() => link.receive(message)) };
  const link = new Link((message, sent) => {
    queueMicrotask(() => {
      if (message.kind === 'joined') relay.join(peer);
      if (message.kind === 'ask') relay.ask(peer, message);
      if (message.kind === 'reply') relay.reply(peer, message);
      sent?.();
    });
  }, workerMs);
  link.join({
    forget: (nouns) => void forgotten.push(nouns.join()),
    figures: async () => [],
    ...answering,
  });
  return { link, peer, forgotten };
}

/** Never answers. */
const hung: Partial<Answering> = { forget: () => new Promise(() => {}) };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  if (left > 0) throw new Error(`${left} time limits were left running`);
});

it('tells the primary that the worker runs, also before it has joined', () => {
  const sent: unknown[] = [];
  const link = new Link((message) => sent.push(message), workerMs);
  link.receive({ kind: 'ping' });
  expect(sent).toEqual([{ kind: 'pong' }]);
});

describe('a question', () => {
  it('comes to all but the one that asks', async () => {
    const relay = new Relay(primaryMs);
    const [asker, ...others] = [startMember(relay), startMember(relay), startMember(relay)];
    const answers = await asker.link.ask('forget', ['persons', 'orgUnits']);
    expect(answers).toHaveLength(2);
    expect(others.map(({ forgotten }) => forgotten)).toEqual([
      ['persons,orgUnits'],
      ['persons,orgUnits'],
    ]);
    expect(asker.forgotten).toEqual([]);
  });

  it('has no answers where there is nobody else', async () => {
    expect(await startMember(new Relay(primaryMs)).link.ask('forget', [])).toEqual([]);
  });

  it('brings back what each has answered', async () => {
    const relay = new Relay(primaryMs);
    const asker = startMember(relay);
    for (const name of ['a', 'b']) {
      const figure = { name, help: '', values: [] } as never;
      startMember(relay, { figures: async () => [figure] });
    }
    const answers = await asker.link.ask('figures', null);
    expect(answers.flat().map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is kept apart from others that are under way', async () => {
    const relay = new Relay(primaryMs);
    const [one, two] = [startMember(relay), startMember(relay)];
    await Promise.all([
      one.link.ask('forget', ['persons']),
      one.link.ask('forget', ['forms']),
      two.link.ask('forget', ['organizations']),
    ]);
    expect(two.forgotten).toEqual(['persons', 'forms']);
    expect(one.forgotten).toEqual(['organizations']);
  });

  it('waits for one that does not answer no longer than the limit', async () => {
    const relay = new Relay(primaryMs);
    const asker = startMember(relay);
    startMember(relay, hung);
    const other = startMember(relay);
    const asked = asker.link.ask('forget', ['forms']);
    await vi.advanceTimersByTimeAsync(primaryMs);
    expect(await asked).toHaveLength(1);
    expect(other.forgotten).toEqual(['forms']);
  });

  it('does not wait for one that has ended', async () => {
    const relay = new Relay(primaryMs);
    const asker = startMember(relay);
    const ended = startMember(relay, hung);
    const asked = asker.link.ask('forget', ['forms']);
    await vi.advanceTimersByTimeAsync(0);
    relay.leave(ended.peer);
    expect(await asked).toEqual([]);
    expect(await asker.link.ask('forget', ['forms'])).toEqual([]);
  });

  it('is dropped with the one that asked it', async () => {
    const relay = new Relay(primaryMs);
    const asker = startMember(relay);
    startMember(relay, hung);
    const asked = asker.link.ask('forget', ['forms']);
    await vi.advanceTimersByTimeAsync(0);
    relay.leave(asker.peer);
    expect(await asked).toEqual([]);
  });

  it('does without an answer that fails or comes too late', async () => {
    const relay = new Relay(primaryMs);
    const asker = startMember(relay);
    const late = Promise.withResolvers<never[]>();
    startMember(relay, { figures: () => late.promise });
    startMember(relay, { figures: () => Promise.reject(new Error('x')) });
    const asked = asker.link.ask('figures', null);
    await vi.advanceTimersByTimeAsync(primaryMs);
    expect(await asked).toEqual([]);
    late.resolve([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await startMember(relay).link.ask('forget', [])).toHaveLength(3);
  });

  it('is given up where the primary says nothing', async () => {
    const link = new Link(() => {}, workerMs);
    const asked = link.ask('forget', ['forms']);
    await vi.advanceTimersByTimeAsync(workerMs);
    expect(await asked).toEqual([]);
  });

  it('is given up where the primary goes, and is not asked again', async () => {
    const sent: string[] = [];
    const link = new Link(({ kind }) => void sent.push(kind), workerMs);
    const asked = link.ask('forget', ['forms']);
    link.lose();
    expect(await asked).toEqual([]);
    expect(await link.ask('figures', null)).toEqual([]);
    expect(sent).toEqual(['ask']);
  });
});

describe('a worker', () => {
  it('learns what it is to do, and that it is to stop', async () => {
    const orders: Orders = { worker: 1, port: 0, sandbox: null, fileUrlSecret: 's' };
    const link = new Link(() => {}, workerMs);
    const messages: ToWorker[] = [{ kind: 'begin', orders }, { kind: 'stop' }];
    for (const message of messages) link.receive(message);
    expect(await link.orders).toEqual(orders);
    expect(await link.stopWanted).toBeUndefined();
  });

  it('is to stop when the primary goes', async () => {
    const link = new Link(() => {}, workerMs);
    link.lose();
    expect(await link.stopWanted).toBeUndefined();
  });

  it('knows when its news are out', async () => {
    let done: (() => void) | undefined;
    const link = new Link((_message, sent) => {
      done = sent;
    }, workerMs);
    const order: string[] = [];
    const told = link.tell({ kind: 'stopped', clean: true }).then(() => order.push('told'));
    await Promise.resolve();
    order.push('sent');
    done?.();
    await told;
    expect(order).toEqual(['sent', 'told']);
  });
});
