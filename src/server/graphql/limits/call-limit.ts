/** The maximum number of upstream calls of one operation, and the setting that defines it. */
export interface CallLimit {
  readonly calls: number;
  readonly setting: 'MAX_UPSTREAM_CALLS' | 'RATE_LIMIT';
}

/** The two settings that limit upstream calls. */
export interface CallLimits {
  /** Maximum number of upstream calls of one operation, or of one event of a subscription. */
  readonly maxUpstreamCalls: number;
  /**
   * Maximum number of upstream calls of one caller per minute, counted by the REST client. Null if there is no limit.
   */
  readonly rateLimit: number | null;
}

/** Returns the lower limit: an operation that needs more calls than its caller has per minute cannot succeed. */
export function callLimitFrom({ maxUpstreamCalls, rateLimit }: CallLimits): CallLimit {
  return rateLimit !== null && rateLimit < maxUpstreamCalls
    ? { calls: rateLimit, setting: 'RATE_LIMIT' }
    : { calls: maxUpstreamCalls, setting: 'MAX_UPSTREAM_CALLS' };
}
