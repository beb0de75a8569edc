import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface OtlpReceiver {
  /** Base URL, the value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
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

/** Starts a collector of traces. With `tls`, it accepts only https. */
export async function startOtlpReceiver(
  respond: Respond = accept,
  tls?: ServerOptions,
): Promise<OtlpReceiver> {
  const requests: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const bodies: Buffer[] = [];
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, headers } = request;
      requests.push({ url, headers });
      bodies.push(...chunks);
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
    requests,
    payload: () => Buffer.concat(bodies).toString('latin1'),
  };
}
