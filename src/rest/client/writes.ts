import type { ReferenceResource } from '../../model/resource.ts';

/** The data that a write may have changed. */
export interface WriteNotification {
  readonly resources: readonly ReferenceResource[];
  readonly document: DocumentWrite | null;
  readonly isRemote?: boolean;
}

/** A write to a document that may have been executed, on this process or on another one. */
export interface DocumentWrite {
  readonly caller: string;
  /** Full or short ID of the document. Null if the write created it. */
  readonly documentId: string | null;
}

/** Must not throw or reject. */
export type WriteListener = (write: WriteNotification) => Promise<unknown> | void;

/** The writes that may have been executed, of this process and of others. */
export class Writes {
  readonly #listeners: WriteListener[] = [];

  on(listener: WriteListener): void {
    this.#listeners.push(listener);
  }

  /** Resolves when all listeners have finished. Undefined: they have. */
  emit(write: WriteNotification): Promise<unknown> | undefined {
    const running = this.#listeners.flatMap((listener) => listener(write) ?? []);
    return running.length === 0 ? undefined : Promise.all(running);
  }
}
