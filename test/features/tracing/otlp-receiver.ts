import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Attributes = Record<string, string | number | boolean>;

/** A span as it arrived. IDs are hexadecimal. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if it is the root of its trace. */
  readonly parentSpanId: string;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** `OK`, `ERROR` or empty, with the description after a space. */
  readonly status: string;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  /** Attributes of the process. */
  readonly resource: Attributes;
}

export interface OtlpReceiver {
  /** Base URL, the value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Path and headers of each request. */
  readonly requests: readonly Pick<IncomingMessage, 'url' | 'headers'>[];
  /** Everything that was received, without compression. */
  readonly payload: () => string;
}

type Respond = (response: ServerResponse, nth: number) => void;

/** Answers as the protocol demands: an empty message. */
const accept: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
};

/**
 * Starts a collector that decodes traces in OTLP's protobuf form. `nth` is counted from 1.
 *
 * @param tls if set, it accepts only https
 */
export async function startOtlpReceiver(
  respond: Respond = accept,
  tls?: ServerOptions,
): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const bodies: Buffer[] = [];
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, headers } = request;
      requests.push({ url, headers });
      const body = Buffer.concat(chunks);
      bodies.push(body);
      spans.push(...spansOf(body));
      respond(response, requests.length);
    });
  };
  const server = tls === undefined ? createServer(receive) : createTlsServer(tls, receive);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    spans,
    requests,
    payload: () => Buffer.concat(bodies).toString('latin1'),
  };
}

/** The fields of a protobuf message by number, in order: numbers, or bytes. */
type Fields = Map<number, (bigint | Buffer)[]>;

/** Reads a message in the wire format of protobuf. @throws {Error} for anything else */
function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const slice = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The message is cut.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const read = (type: bigint): bigint | Buffer => {
    if (type === 0n) return varint();
    if (type === 1n) return slice(8).readBigUInt64LE();
    if (type === 2n) return slice(Number(varint()));
    if (type === 5n) return BigInt(slice(4).readUInt32LE());
    throw new Error(`Unknown wire type ${type}.`);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const value = read(tag & 7n);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] =>
  buffers(fields, number).map(fieldsOf);
const buffers = (fields: Fields, number: number): Buffer[] =>
  (fields.get(number) ?? []).filter((value) => typeof value !== 'bigint');
const text = (fields: Fields, number: number): string =>
  buffers(fields, number).at(-1)?.toString() ?? '';
const hex = (fields: Fields, number: number): string =>
  buffers(fields, number).at(-1)?.toString('hex') ?? '';
const integer = (fields: Fields, number: number): bigint => {
  const value = fields.get(number)?.at(-1);
  return typeof value === 'bigint' ? value : 0n;
};

/** opentelemetry/proto/collector/trace/v1/trace_service.proto */
function spansOf(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? new Map(), 1);
    return messages(resourceSpans, 2).flatMap((scopeSpans) =>
      messages(scopeSpans, 2).map((span) => spanOf(span, resource)),
    );
  });
}

const kinds = ['', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const statuses = ['', 'OK', 'ERROR'];

function spanOf(span: Fields, resource: Attributes): ReceivedSpan {
  const [status = new Map()] = messages(span, 15);
  return {
    name: text(span, 5),
    kind: kinds[Number(integer(span, 6))]!,
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentSpanId: hex(span, 4),
    attributes: attributesOf(span, 9),
    events: messages(span, 11).map((event) => ({
      name: text(event, 2),
      attributes: attributesOf(event, 3),
    })),
    links: messages(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
    status: `${statuses[Number(integer(status, 3))]} ${text(status, 2)}`.trim(),
    startedAt: integer(span, 7),
    endedAt: integer(span, 8),
    resource,
  };
}

function attributesOf(message: Fields, number: number): Attributes {
  return Object.fromEntries(
    messages(message, number).map((pair) => [text(pair, 1), valueOf(messages(pair, 2)[0]!)]),
  );
}

/** The simple values of an AnyValue. */
function valueOf(value: Fields): string | number | boolean {
  if (value.has(1)) return text(value, 1);
  if (value.has(2)) return integer(value, 2) === 1n;
  if (value.has(3)) return Number(integer(value, 3));
  throw new Error('Unexpected kind of value.');
}
