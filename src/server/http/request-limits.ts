import { busy } from '../errors/http-error.ts';

export const maxConnections = 10_000;
export const maxHeaders = 100;
const maxBodyBytes = 128 * 2 ** 20;

export class RequestLimits {
  readonly #maxRequests: number;
  #requests = 0;
  #bodyBytes = 0;

  constructor(maxRequests: number) {
    this.#maxRequests = maxRequests;
  }

  addRequest(): void {
    if (this.#requests >= this.#maxRequests) throw busy();
    this.#requests += 1;
  }

  removeRequest(): void {
    this.#requests -= 1;
  }

  addBody(bytes: number): void {
    if (this.#bodyBytes + bytes > maxBodyBytes) throw busy();
    this.#bodyBytes += bytes;
  }

  removeBody(bytes: number): void {
    this.#bodyBytes -= bytes;
  }
}
