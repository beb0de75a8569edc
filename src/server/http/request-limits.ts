import { busy } from '../errors/http-error.ts';

/** Maximum number of connections of clients. Node closes further ones. */
export const maxConnections = 10_000;
/** Maximum number of headers of a request. Node rejects more with 431. */
export const maxHeaders = 100;
/** Maximum size of all request bodies that are being read, in bytes. */
const maxBodyBytes = 128 * 2 ** 20;

/** What the requests of a process hold together. Beyond that, requests are rejected with 503. */
export class RequestLimits {
  readonly #maxRequests: number;
  #requests = 0;
  #bodyBytes = 0;

  constructor(maxRequests: number) {
    this.#maxRequests = maxRequests;
  }

  /** @throws {HttpError} 503 */
  addRequest(): void {
    if (this.#requests >= this.#maxRequests) throw busy();
    this.#requests += 1;
  }

  removeRequest(): void {
    this.#requests -= 1;
  }

  /** @throws {HttpError} 503 */
  addBody(bytes: number): void {
    if (this.#bodyBytes + bytes > maxBodyBytes) throw busy();
    this.#bodyBytes += bytes;
  }

  removeBody(bytes: number): void {
    this.#bodyBytes -= bytes;
  }
}
