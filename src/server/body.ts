import type { IncomingMessage } from 'node:http';
import { atEndOfTurn } from '../rest/turn.ts';
import { Refusal } from './refusal.ts';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Longest time from the first to the last byte. */
  readonly requestTimeoutMs: number;
}

/**
 * The JSON body of a request, read from the socket's own stream.
 *
 * @throws {Refusal} 413 over MAX_BODY_BYTES, 408 for one that drips in, 400 for anything but JSON
 */
export async function readJson(req: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const text = await readText(req, limits);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('The request body is not JSON.');
  }
}

function readText(req: IncomingMessage, limits: BodyLimits): Promise<string> {
  const { maxBodyBytes, requestTimeoutMs } = limits;
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) {
      reject(tooLarge(maxBodyBytes));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let giveUpAt = 0;
    const stop = (refusal: Refusal): void => {
      req.off('data', take);
      req.pause(); // what is left is dealt with once the answer is out
      reject(refusal);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBodyBytes) stop(tooLarge(maxBodyBytes));
      else if (giveUpAt === 0) giveUpAt = performance.now() + requestTimeoutMs;
      else if (performance.now() > giveUpAt) {
        stop(new Refusal(408, 'BAD_USER_INPUT', 'The request body took too long.'));
      }
    };
    req.on('data', take);
    req.on('end', () => {
      const [first] = chunks;
      const whole = chunks.length === 1 && first ? first : Buffer.concat(chunks);
      atEndOfTurn(() => resolve(whole.toString('utf8')));
    });
    // Node tells nobody of an error where nobody listens for one; `close` follows it either way.
    req.on('close', () => {
      if (!req.complete) reject(badRequest('The request ended before its body.'));
    });
  });
}

function tooLarge(maxBodyBytes: number): Refusal {
  const message = `The request body is too large; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`;
  return new Refusal(413, 'BAD_USER_INPUT', message);
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, 'BAD_USER_INPUT', message);
}
