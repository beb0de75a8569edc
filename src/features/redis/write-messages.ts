import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DocumentWrite, WriteNotification } from '../../rest/index.ts';
import { referenceResources } from '../../model/resource.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { Encryption } from './encryption.ts';

export interface WriteMessagesOptions {
  readonly redis: RedisConnection;
  readonly encryption: Encryption;
  readonly baseUrl: string;
  readonly replica: string;
  readonly onWritten: (written: WriteNotification) => void;
}

interface Message extends WriteNotification {
  readonly replica: string;
  readonly process: string;
  readonly nth: number;
  readonly sentAt: number;
}

const maxBytes = 4096;
const maxIdLength = 1000;
const maxAgeMs = 300_000;
const maxProcesses = 1000;

/**
 * Notifies other replicas of what a write may have changed, and receives their messages. A message that was forged,
 * changed, repeated or is too large is ignored. So is one about a document that is older than five minutes, because
 * messages of ended processes could be repeated.
 */
export class WriteMessages {
  readonly channel: string;
  readonly #options: WriteMessagesOptions;
  readonly #process = randomUUID();
  #count = 0;
  /** The number of the last message of each process. Redis keeps the order of one sender. */
  readonly #received = new LRUCache<string, number>({ max: maxProcesses });

  constructor(options: WriteMessagesOptions) {
    const { redis, encryption, baseUrl, onWritten } = options;
    this.#options = options;
    this.channel = encryption.name('written', baseUrl);
    redis.subscribe(
      this.channel,
      (bytes) => this.#receive(bytes),
      () => onWritten({ resources: referenceResources, document: null }),
    );
  }

  create({ resources, document }: WriteNotification): Buffer {
    this.#count += 1;
    const message: Message = {
      replica: this.#options.replica,
      process: this.#process,
      nth: this.#count,
      sentAt: Date.now(),
      resources,
      document: isShort(document) ? document : null,
    };
    return this.#options.encryption.encrypt(this.channel, JSON.stringify(message));
  }

  #receive(bytes: Buffer): void {
    const { encryption, replica, onWritten } = this.#options;
    const text = bytes.length > maxBytes ? null : encryption.decrypt(this.channel, bytes);
    if (text === null) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a gateway can have encrypted it
    const message = JSON.parse(text) as Message;
    const lastNth = this.#received.get(message.process) ?? 0;
    if (message.replica === replica || message.nth <= lastNth) return;
    this.#received.set(message.process, message.nth);
    const isRecent = Math.abs(Date.now() - message.sentAt) <= maxAgeMs;
    onWritten({
      // Another version of the gateway may have other resources.
      resources: message.resources.filter((one) => referenceResources.includes(one)),
      document: isRecent ? message.document : null,
    });
  }
}

function isShort(document: DocumentWrite | null): boolean {
  return (document?.documentId?.length ?? 0) <= maxIdLength;
}
