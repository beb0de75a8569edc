/** The messages between the run and the load process. */
export type Command =
  | { readonly kind: 'check'; readonly url: string; readonly workload: string }
  | {
      readonly kind: 'load';
      readonly url: string;
      readonly workload: string;
      readonly ms: number;
      readonly inFlight: number;
    }
  | {
      readonly kind: 'upload';
      readonly url: string;
      readonly bytes: number;
      readonly times: number;
    }
  | {
      readonly kind: 'download';
      readonly url: string;
      readonly bytes: number;
      readonly times: number;
    };

export interface LoadFigures {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Reply {
  readonly figures?: LoadFigures;
  readonly error?: string;
}
