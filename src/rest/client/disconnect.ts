/**
 * Signals that the client has disconnected. An AbortSignal satisfies this interface, but creating one for each request
 * is expensive.
 */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
