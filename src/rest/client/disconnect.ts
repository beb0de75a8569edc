/** Tells once that the client went away. An AbortSignal is one; each request would need a controller of its own. */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
