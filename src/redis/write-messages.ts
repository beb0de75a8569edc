import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DocumentWrite } from '../rest/client/document-write.ts';
import type { WrittenData } from '../rest/client/written-data.ts';
import { referenceResources } from '../model/resource.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { Sealing } from './sealing.ts';

/** Channel and receiver of the messages. */
export interface WriteMessagesOptions {
  readonly redis: RedisConnection;
  readonly sealing: Sealing;
  /** Base URL of the DMS. Gateways of different services share nothing. */
  readonly baseUrl: string;
  /** Identifies the replica. Messages of the other processes of this replica are ignored. */
  readonly replica: string;
  /** Called with what another replica wrote, and with all reference data if messages may have been missed. */
  readonly onWritten: (written: WrittenData) => void;
}

/** Notifies other replicas of what a write may have changed. */
export interface WriteMessages {
  readonly channel: string;
  /** Returns the encrypted message, to be published in `channel`. Every message can be published once. */
  create(written: WrittenData): Buffer;
}

interface Message extends WrittenData {
  readonly replica: string;
  readonly process: string;
  /** Counts the messages of this process. */
  readonly nth: number;
  /** Unix time in milliseconds. */
  readonly sentAt: number;
}

/** Maximum size of a message. */
const maxBytes = 4096;
/** Maximum length of a document ID. A document with a longer ID is not reported. */
const maxIdLength = 1000;
const maxAgeMs = 300_000;
const maxProcesses = 1000;

/**
 * Receives messages from now on. A message that was forged, changed, repeated or is too large is ignored. So is one
 * about a document that is older than five minutes, because messages of ended processes could be repeated.
 */
export function createWriteMessages(options: WriteMessagesOptions): WriteMessages {
  const { redis, sealing, baseUrl, replica, onWritten } = options;
  const channel = sealing.name('written', baseUrl);
  const self = randomUUID();
  let count = 0;
  /** The number of the last message of each process. Redis keeps the order of one sender. */
  const received = new LRUCache<string, number>({ max: maxProcesses });

  const receive = (bytes: Buffer): void => {
    const text = bytes.length > maxBytes ? null : sealing.open(channel, bytes);
    if (text === null) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a gateway can have encrypted it
    const message = JSON.parse(text) as Message;
    if (message.replica === replica || message.nth <= (received.get(message.process) ?? 0)) return;
    received.set(message.process, message.nth);
    const isRecent = Math.abs(Date.now() - message.sentAt) <= maxAgeMs;
    onWritten({
      // Another version of the gateway may have other resources.
      resources: message.resources.filter((one) => referenceResources.includes(one)),
      document: isRecent ? message.document : null,
    });
  };
  redis.subscribe(channel, receive, () =>
    onWritten({ resources: referenceResources, document: null }),
  );

  return {
    channel,
    create({ resources, document }) {
      count += 1;
      const message: Message = {
        replica,
        process: self,
        nth: count,
        sentAt: Date.now(),
        resources,
        document: isShort(document) ? document : null,
      };
      return sealing.seal(channel, JSON.stringify(message));
    },
  };
}

function isShort(document: DocumentWrite | null): boolean {
  return (document?.documentId?.length ?? 0) <= maxIdLength;
}
