import { isDeepStrictEqual } from 'node:util';

import type { Pool } from 'undici';

import { credentials } from '../../upstream/ids.ts';
import type { Variant, Workload } from '../../workloads/index.ts';
import type { LoadFigures } from '../messages.ts';
import { quantile } from '../stats.ts';
import { dispatchRequest } from './dispatch-request.ts';
import type { Answer } from './dispatch-request.ts';

/** Body lengths of checked responses by pool and variant. A timed response of another length is wrong. */
const lengths = new WeakMap<Pool, Map<Variant, number>>();

export function send(pool: Pool, variant: Variant, keep: boolean): Promise<Answer> {
  const { authorization, runAs } = credentials(variant.caller);
  return dispatchRequest(
    pool,
    {
      method: 'POST',
      path: '/graphql',
      headers: {
        authorization,
        'svc-run-as': runAs,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: variant.body,
    },
    keep,
  );
}

/**
 * Sends every variant and compares its complete `data` with the expected one.
 *
 * @throws {Error} for the first response that differs, with both values
 */
export async function check(pool: Pool, workload: Workload): Promise<void> {
  const known = lengths.get(pool) ?? new Map<Variant, number>();
  lengths.set(pool, known);
  for (let at = 0; at < workload.variants.length; at += 8) {
    await Promise.all(
      workload.variants.slice(at, at + 8).map(async (variant) => {
        const { status, bytes, body } = await send(pool, variant, true);
        const text = body.toString();
        let answer: { data?: unknown; errors?: unknown } = {};
        if (text.startsWith('{')) answer = JSON.parse(text) as typeof answer;
        if (status !== 200 || answer.errors !== undefined || !same(answer.data, variant.expected)) {
          throw new Error(
            `${workload.name}, caller ${variant.caller}: status ${status}\n` +
              `got      ${text.slice(0, 2000)}\n` +
              `expected ${JSON.stringify(variant.expected).slice(0, 2000)}`,
          );
        }
        known.set(variant, bytes);
      }),
    );
  }
}

/** Compares values without prototypes, because some executors create objects without one. */
function same(got: unknown, expected: unknown): boolean {
  return isDeepStrictEqual(structuredClone(got), structuredClone(expected));
}

/**
 * Keeps `inFlight` requests running for `ms` milliseconds, then waits for the last one.
 *
 * @throws {Error} if a response does not have status 200 or the checked length
 */
export async function load(
  pool: Pool,
  workload: Workload,
  ms: number,
  inFlight: number,
): Promise<LoadFigures> {
  const known = lengths.get(pool);
  if (known === undefined) throw new Error(`${workload.name} was not checked`);
  const { variants } = workload;
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + ms;
  let next = 0;
  const sender = async (): Promise<void> => {
    while (performance.now() < until) {
      const variant = variants[next++ % variants.length];
      if (variant === undefined) return;
      const from = performance.now();
      const { status, bytes } = await send(pool, variant, false);
      latencies.push(performance.now() - from);
      if (status !== 200 || bytes !== known.get(variant)) {
        throw new Error(`${workload.name}: status ${status}, ${bytes} bytes under load`);
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sender));
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}
