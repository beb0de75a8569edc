type Functions = Record<string, (argument: never) => unknown>;

interface Peer {
  readonly connected: boolean;
  send?(message: object, handle: undefined, options: undefined, sent: () => void): unknown;
  on(event: 'message', listener: (message: Message) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

type Message =
  | { readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly id: number; readonly result?: unknown };

export class Channel<Remote extends Functions> {
  readonly #peer: Peer;
  readonly #pending = new Map<number, (result?: unknown) => void>();
  #lastId = 0;

  constructor(peer: Peer, local: Functions) {
    this.#peer = peer;
    peer.on('message', (message) => {
      const { id } = message;
      if (!('name' in message)) {
        this.#pending.get(id)?.(message.result);
        return;
      }
      const call = async (): Promise<unknown> => local[message.name]?.(message.argument as never);
      call().then(
        (result) => this.#send({ id, result }),
        () => this.#send({ id }),
      );
    });
    peer.on('disconnect', () => {
      for (const settle of this.#pending.values()) settle();
    });
  }

  call<Name extends keyof Remote & string>(
    name: Name,
    argument: Parameters<Remote[Name]>[0],
    limitMs?: number,
  ): Promise<Awaited<ReturnType<Remote[Name]>> | undefined> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const id = (this.#lastId += 1);
    const limit = limitMs === undefined ? undefined : setTimeout(resolve, limitMs);
    this.#pending.set(id, resolve);
    if (!this.#send({ id, name, argument })) resolve(undefined);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the function of this name returns
    return promise.finally(() => {
      clearTimeout(limit);
      this.#pending.delete(id);
    }) as ReturnType<this['call']>;
  }

  #send(message: Message): boolean {
    if (!this.#peer.connected) return false;
    // Without a callback, sending on a channel that is just closing would raise an error in this process.
    this.#peer.send?.(message, undefined, undefined, () => {});
    return true;
  }
}
