import type { Socket } from 'node:net';
import { connectionAccepted } from './immediate-batch.ts';
import type { OpenConnections } from './open-connections.ts';

/** When so many bytes of bodies have arrived in one iteration of the event loop, the rest is read in the next ones. */
const maxBytesPerIteration = 8 * 2 ** 20;
/** The connections of which more has arrived in one iteration, in bytes, are read in turns of their own. */
const maxBytesOfOne = maxBytesPerIteration / 16;
/** A request counts as so many bytes: at most 256 requests are read. */
const arrivalWeight = 32 * 1024;
/** A chunk of a body counts as so many bytes more, because it can be a single byte. */
const chunkWeight = 1024;
/** When reading has taken so long in one iteration, in milliseconds, the rest is read in the next ones. */
const maxReadMs = 20;
/** Maximum number of connections that are accepted before reading continues. */
const maxAcceptedInPause = 256;
/** Maximum number of paused connections that are read again in one iteration. */
const maxResumed = 128;

/**
 * The turns in which connections are read. Node reads each connection as soon as something arrives, also if others have
 * waited longer. Here, reading stops when much has arrived in one iteration of the event loop, or when it has taken long, and the
 * rest is read in the next iterations, in an order in which no client waits for the others.
 */
export class ReadingTurns {
  readonly #connections: OpenConnections;
  /** What has arrived in the current iteration of the event loop, in bytes. */
  #arrivedBytes = 0;
  /** Time of the first arrival in the current iteration. */
  #arrivedAt = 0;
  /** The connection of the last arrival in the current iteration, and what has arrived of it. */
  #current: Socket | null = null;
  #currentBytes = 0;
  #awaitsEnd = false;
  /** The open connections, the one that was read last at the end. */
  readonly #open = new Set<Socket>();
  /** Those that were not read yet. */
  readonly #unread = new Set<Socket>();
  /** The addresses of their clients while connections are paused, the one that was read last at the end. */
  readonly #addresses = new Set<string | undefined>();
  /** Those of which much arrived when they were read last. */
  readonly #busy = new Set<Socket>();
  /** Those that are read in later iterations. */
  readonly #paused = new Set<Socket>();
  #lastTurn = 0;
  /**
   * How many connections each turn reads in one iteration. The system does not return them in the order of their turn, so
   * there are only as many as could be read before: half as many if others had to be paused, otherwise twice as many.
   */
  readonly #turnSizes = [maxResumed, maxResumed, maxResumed];
  #isTurn = false;
  #isPausing = false;
  /** Whether connections were paused or accepted in the current iteration: others can wait to be accepted. */
  #mayAccept = false;
  /** Whether a connection was accepted in the current iteration, and in the one before. */
  #hasAccepted = false;
  #hadAccepted = false;
  /** Number of connections that were accepted since one was read. */
  #accepted = 0;

  constructor(connections: OpenConnections) {
    this.#connections = connections;
  }

  add(socket: Socket): void {
    this.#open.add(socket);
    this.#unread.add(socket);
    socket.once('close', () => {
      for (const set of [this.#open, this.#unread, this.#busy, this.#paused]) set.delete(socket);
    });
    // Reading the body of a request resumes the connection.
    socket.on('resume', () => {
      if (this.#paused.has(socket)) socket.pause();
    });
    const isAlone = this.#paused.size === 0 && !this.#hadAccepted;
    this.#hasAccepted = true;
    this.#awaitEnd();
    connectionAccepted();
    if (isAlone) return;
    this.#mayAccept = true;
    this.#accepted += 1;
    process.nextTick(() => this.#pause(socket)); // in this tick, Node resumes it
  }

  /** Records that a request has arrived, or the head of one that is rejected: parsing it takes as long. */
  requestArrived(socket: Socket): void {
    const isFirst = this.#unread.has(socket);
    this.#arrived(socket, arrivalWeight);
    // The requests of other new connections are read before the rest of this one. One of them can be a health check.
    if (isFirst && this.#paused.size > 0) this.#pause(socket);
    if (performance.now() - this.#arrivedAt > maxReadMs) this.#pauseAll();
  }

  /** Records that a chunk of a body has arrived. */
  chunkArrived(socket: Socket, bytes: number): void {
    this.#arrived(socket, bytes + chunkWeight);
  }

  #arrived(socket: Socket, bytes: number): void {
    this.#awaitEnd();
    if (this.#arrivedBytes === 0) this.#arrivedAt = performance.now();
    if (socket !== this.#current) {
      this.#current = socket;
      this.#currentBytes = 0;
      if (this.#unread.delete(socket) && this.#addresses.delete(socket.remoteAddress)) {
        this.#addresses.add(socket.remoteAddress);
      }
      this.#busy.delete(socket);
      if (this.#open.delete(socket)) this.#open.add(socket);
    }
    this.#arrivedBytes += bytes;
    this.#currentBytes += bytes;
    if (this.#currentBytes > maxBytesOfOne && this.#open.has(socket)) this.#busy.add(socket);
    if (this.#arrivedBytes >= maxBytesPerIteration) this.#pauseAll();
  }

  /**
   * Pauses all connections if much has arrived in this iteration. Node reads up to 2 MiB of each connection in one
   * iteration, which can be thousands of pipelined requests. Requests of other clients, such as health checks, would wait
   * until all of them are read.
   */
  #pauseAll(): void {
    this.#arrivedBytes = 0;
    this.#mayAccept = true;
    this.#isPausing = true;
    for (const socket of this.#connections.sockets) if (!socket.isPaused()) this.#pause(socket);
  }

  #pause(socket: Socket): void {
    socket.pause();
    this.#paused.add(socket);
  }

  #awaitEnd(): void {
    if (this.#awaitsEnd) return;
    this.#awaitsEnd = true;
    setImmediate(this.#iterationEnded);
  }

  readonly #iterationEnded = (): void => {
    this.#awaitsEnd = false;
    this.#arrivedBytes = 0;
    this.#current = null;
    this.#hadAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    if (this.#isTurn) {
      const size = this.#turnSizes[this.#lastTurn]! * (this.#isPausing ? 0.5 : 2);
      this.#turnSizes[this.#lastTurn] = Math.min(Math.max(1, size), maxResumed);
    }
    this.#isTurn = false;
    this.#isPausing = false;
    if (this.#paused.size === 0) this.#addresses.clear();
    if (this.#paused.size === 0 && !this.#hadAccepted) return;
    this.#awaitEnd();
    // One connection is accepted per iteration. That of a health check can be behind others, which are not read before.
    const mayAccept = this.#mayAccept && this.#accepted < maxAcceptedInPause;
    this.#mayAccept = false;
    if (mayAccept) return;
    this.#accepted = 0;
    this.#isTurn = true;
    for (const socket of this.#next()) {
      this.#paused.delete(socket);
      socket.resume();
    }
  };

  /**
   * Returns the connections that are read in the next iteration, in turn: new ones; others; and those of which much
   * arrives. So neither a new client nor one that sends little waits until the others have sent everything.
   */
  #next(): Socket[] {
    const turns = [
      () => this.#newOfEachAddress(),
      () => [...this.#open].filter((socket) => !this.#busy.has(socket)),
      () => [...this.#open].filter((socket) => this.#busy.has(socket)),
    ];
    for (let left = turns.length; left > 0; left -= 1) {
      this.#lastTurn = (this.#lastTurn + 1) % turns.length;
      const sockets = turns[this.#lastTurn]!().filter((socket) => this.#paused.has(socket));
      if (sockets.length > 0) return sockets.slice(0, this.#turnSizes[this.#lastTurn]);
    }
    return [];
  }

  /** New connections: first the newest of each client, in turn, so that a health check does not wait for other clients. */
  #newOfEachAddress(): readonly Socket[] {
    const newest = new Map(Array.from(this.#unread, (socket) => [socket.remoteAddress, socket]));
    for (const address of this.#addresses)
      if (!newest.has(address)) this.#addresses.delete(address);
    for (const address of newest.keys()) this.#addresses.add(address);
    const first = Array.from(this.#addresses, (address) => newest.get(address)!);
    return [...new Set([...first, ...[...this.#unread].toReversed()])];
  }
}
