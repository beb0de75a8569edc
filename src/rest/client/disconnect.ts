/** Signals once that the client disconnected. An AbortSignal is one, but each request would need a controller of its own. */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
