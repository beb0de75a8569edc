import type { ReferenceResource } from '../../model/resource.ts';

export interface WriteNotification {
  readonly resources: readonly ReferenceResource[];
  readonly document: DocumentWrite | null;
  readonly isRemote?: boolean;
}

export interface DocumentWrite {
  readonly caller: string;
  readonly documentId: string | null;
}

export type WriteListener = (write: WriteNotification) => Promise<unknown> | void;

export class Writes {
  readonly #listeners: WriteListener[] = [];

  on(listener: WriteListener): void {
    this.#listeners.push(listener);
  }

  emit(write: WriteNotification): Promise<unknown> | undefined {
    const running = this.#listeners.flatMap((listener) => listener(write) ?? []);
    return running.length === 0 ? undefined : Promise.all(running);
  }
}
