import type { Answers, Ask, Asked, Reply } from './messages.ts';

/** A worker, as the primary reaches it. */
export interface Peer {
  send(message: Asked | Answers): void;
}

/** A question that some have still to answer. */
interface Round {
  readonly asker: Peer;
  /** The asker's own number of it. */
  readonly askedAs: number;
  readonly waitsFor: Set<Peer>;
  readonly answers: unknown[];
  readonly limit: NodeJS.Timeout;
}

/** Passes a question of one worker on to all others, and gathers what they answer within `limitMs`. */
export class Relay {
  readonly #limitMs: number;
  readonly #peers = new Set<Peer>();
  readonly #rounds = new Map<number, Round>();
  #last = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  join(peer: Peer): void {
    this.#peers.add(peer);
  }

  /** Nobody waits any longer for one that has ended. */
  leave(peer: Peer): void {
    this.#peers.delete(peer);
    for (const [id, round] of this.#rounds) {
      if (round.asker === peer) this.#end(id, round);
      else this.#take(id, round, peer);
    }
  }

  ask(asker: Peer, { id: askedAs, ...question }: Ask): void {
    const id = (this.#last += 1);
    const waitsFor = new Set(this.#peers);
    waitsFor.delete(asker);
    const limit = setTimeout(() => this.#end(id, round), this.#limitMs);
    const round: Round = { asker, askedAs, waitsFor, answers: [], limit };
    this.#rounds.set(id, round);
    for (const peer of waitsFor) peer.send({ ...question, kind: 'asked', id });
    if (waitsFor.size === 0) this.#end(id, round);
  }

  reply(peer: Peer, { id, answer }: Reply): void {
    const round = this.#rounds.get(id);
    if (round === undefined || !round.waitsFor.has(peer)) return; // too late
    round.answers.push(answer);
    this.#take(id, round, peer);
  }

  #take(id: number, round: Round, peer: Peer): void {
    round.waitsFor.delete(peer);
    if (round.waitsFor.size === 0) this.#end(id, round);
  }

  #end(id: number, { asker, askedAs, answers, limit }: Round): void {
    clearTimeout(limit);
    this.#rounds.delete(id);
    asker.send({ kind: 'answers', id: askedAs, answers });
  }
}
