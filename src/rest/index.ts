/** The front door of the REST client: other modules import nothing else of `rest`. */
export { Dms } from './dms.ts';
export type { OnCall } from './client/call/call.ts';
export { HttpClient } from './client/http-client.ts';
export { isNotFound, nullIfNotFound, RestError } from './client/rest-error.ts';
export { callerDigest, userKeyOf, type Caller } from './client/caller.ts';
export type { DocumentWrite, WriteNotification } from './client/writes.ts';
export type { CachedResult, SharedCache, SharedRead } from './client/call/reference-cache.ts';
export {
  callCountFrom,
  callWindow,
  CallCounters,
  RateLimiter,
  type CallCount,
  type SharedCounters,
} from './client/limits/rate-limiter.ts';
export { RequestBudget } from './client/limits/request-budget.ts';
export type { CallInfo, CallObserver, HttpObserver, ObservedCall } from './client/observer.ts';
export { ByteBuffer } from './client/transport/byte-buffer.ts';
export {
  dayOf,
  describeCertificate,
  isClientCertificateAlert,
  isTlsError,
  isUntrustedError,
  type DescribedCertificate,
} from './client/transport/tls.ts';
export type { TlsSource } from './client/transport/connections.ts';
export { decodableCodings, type Coding } from './client/transport/content-coding.ts';
export { certificateOf, probeDms, type DmsAnswer } from './client/transport/probe-dms.ts';
export { httpDateMs } from './client/transport/header-values.ts';
export { ImmediateBatch } from './client/transport/immediate-batch.ts';
export { createJsonReader } from './client/transport/json-url.ts';
export { documentProjection, isExtraName, isRequirement } from './wire/document.ts';
export { formFromWire } from './wire/form.ts';
export { array, totalCountFrom } from './wire/parse.ts';
