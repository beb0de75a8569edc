import type { Answers, Ask, Asked, Reply } from './messages.ts';

/** A worker to which the primary can send messages. */
export interface Peer {
  send(message: Asked | Answers): void;
}

/** A question that at least one worker has not answered yet. */
interface PendingQuestion {
  readonly asker: Peer;
  /** The asking worker's number of the question. */
  readonly askedAs: number;
  readonly waitsFor: Set<Peer>;
  readonly answers: unknown[];
  readonly limit: NodeJS.Timeout;
}

/** Relays a question of one worker to all others, and collects the answers that arrive within `limitMs`. */
export class QuestionRelay {
  readonly #limitMs: number;
  readonly #peers = new Set<Peer>();
  readonly #pending = new Map<number, PendingQuestion>();
  #last = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Adds a worker that answers questions. */
  join(peer: Peer): void {
    this.#peers.add(peer);
  }

  /** Removes a worker that has ended. Pending questions no longer wait for it. */
  leave(peer: Peer): void {
    this.#peers.delete(peer);
    for (const [id, pending] of this.#pending) {
      if (pending.asker === peer) this.#end(id, pending);
      else this.#take(id, pending, peer);
    }
  }

  /** Sends a question to all workers except the asking one, which receives one `answers` message. */
  ask(asker: Peer, { id: askedAs, ...question }: Ask): void {
    const id = (this.#last += 1);
    const waitsFor = new Set(this.#peers);
    waitsFor.delete(asker);
    const limit = setTimeout(() => this.#end(id, pending), this.#limitMs);
    const pending: PendingQuestion = { asker, askedAs, waitsFor, answers: [], limit };
    this.#pending.set(id, pending);
    for (const peer of waitsFor) peer.send({ ...question, kind: 'asked', id });
    if (waitsFor.size === 0) this.#end(id, pending);
  }

  /** Adds the answer of one worker. An answer after the time limit is ignored. */
  reply(peer: Peer, { id, answer }: Reply): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || !pending.waitsFor.has(peer)) return; // too late
    pending.answers.push(answer);
    this.#take(id, pending, peer);
  }

  #take(id: number, pending: PendingQuestion, peer: Peer): void {
    pending.waitsFor.delete(peer);
    if (pending.waitsFor.size === 0) this.#end(id, pending);
  }

  #end(id: number, { asker, askedAs, answers, limit }: PendingQuestion): void {
    clearTimeout(limit);
    this.#pending.delete(id);
    asker.send({ kind: 'answers', id: askedAs, answers });
  }
}
