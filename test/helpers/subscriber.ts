import { onTestFinished } from 'vitest';
import type { TestGateway } from './gateway.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each test knows the shape of its result
type Result = any;

export interface Subscriber {
  readonly response: Response;
  /** Results so far, in order. */
  readonly results: Result[];
  /** Heartbeats so far. */
  readonly heartbeats: () => number;
  /** Whether the stream was completed by the gateway as its protocol says; undefined while it runs. */
  readonly isComplete: () => boolean | undefined;
  /** Closes the connection. */
  leave(): void;
}

export interface SubscribeOptions {
  readonly variables?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly protocol?: 'events' | 'multipart';
  /** Other parameters than the query and its variables. */
  readonly params?: object;
}

const accept = {
  events: 'text/event-stream',
  multipart: 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
};

/** Subscribes over a connection of its own and reads the bytes of the protocol itself. */
export async function subscribe(
  gateway: Pick<TestGateway, 'fetch'>,
  query: string,
  { variables = {}, headers = {}, protocol = 'events', params }: SubscribeOptions = {},
): Promise<Subscriber> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await gateway.fetch('/graphql', {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'content-type': 'application/json', accept: accept[protocol], ...headers },
    body: JSON.stringify({ query, variables, ...params }),
  });
  const results: Result[] = [];
  let heartbeats = 0;
  let isComplete: boolean | undefined;
  const take = protocol === 'events' ? takeEvent : takePart;
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      for (let taken = take(text); taken !== null; taken = take(text)) {
        text = taken.rest;
        if (taken.kind === 'heartbeat') heartbeats += 1;
        else if (taken.kind === 'complete') isComplete = true;
        else results.push(taken.result);
      }
    }
    isComplete ??= false;
  };
  read().catch(() => (isComplete ??= false));
  return {
    response,
    results,
    heartbeats: () => heartbeats,
    isComplete: () => isComplete,
    leave: () => leaving.abort(),
  };
}

interface Taken {
  readonly kind: 'result' | 'heartbeat' | 'complete';
  readonly result?: Result;
  readonly rest: string;
}

/** The first event of a text that may be incomplete; null if it is. */
function takeEvent(text: string): Taken | null {
  const end = text.indexOf('\n\n');
  if (end < 0) return null;
  const rest = text.slice(end + 2);
  const event = text.slice(0, end);
  if (event === ':') return { kind: 'heartbeat', rest };
  if (event === 'event: complete\ndata:') return { kind: 'complete', rest };
  const [, json = ''] = /^event: next\ndata: (.*)$/s.exec(event) ?? [];
  return { kind: 'result', result: JSON.parse(json), rest };
}

const boundary = '\r\n--graphql';

/** The first part between two boundaries; the preamble counts as none. */
function takePart(text: string): Taken | null {
  if (text === `${boundary}--\r\n`) return { kind: 'complete', rest: '' };
  const head = `${boundary}\r\ncontent-type: application/json\r\n\r\n`;
  if (!text.startsWith(head)) return null;
  const end = text.indexOf(boundary, head.length);
  if (end < 0) return null;
  const rest = text.slice(end);
  const part: Result = JSON.parse(text.slice(head.length, end));
  if (Object.keys(part).length === 0) return { kind: 'heartbeat', rest };
  return { kind: 'result', result: part.payload, rest };
}
