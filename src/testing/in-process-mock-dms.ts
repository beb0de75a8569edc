import { MockAgent } from 'undici';
import { createReplies, headersOf, textOf, type MockDms } from './mock-dms.ts';

/** A mocked DMS without sockets. */
export interface InProcessMockDms extends MockDms {
  /** Dispatcher for `createHttpClient`, for requests to `mockOrigin`. */
  readonly dispatcher: MockAgent;
}

/** Base URL of a mocked DMS without sockets. */
export const mockOrigin = 'http://dms.test';

/** Creates a mocked DMS that answers through undici's `MockAgent`. */
export function createMockDms(): InProcessMockDms {
  const { mock, respond } = createReplies();
  const agent = new MockAgent();
  agent.disableNetConnect();
  const answer = async (sent: Sent) => {
    const { status, headers, data } = await respond({
      method: sent.method,
      path: sent.path,
      headers: headersOf(sent.headers),
      body: await textOf(sent.body),
    });
    return { statusCode: status, data, responseOptions: { headers } };
  };
  agent
    .get(mockOrigin)
    .intercept({ path: () => true, method: () => true })
    // undici awaits the result of the callback, but its types do not declare that.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    .reply(answer as never)
    .persist();
  return Object.assign(mock, { dispatcher: agent });
}

/** Arguments of undici's reply callback. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}
