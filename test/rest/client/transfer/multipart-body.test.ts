import { expect, it } from 'vitest';
import type { UploadFile } from '../../../../src/model/document.ts';
import { MultipartBody } from '../../../../src/rest/client/transfer/upload.ts';

/** A source that never yields. */
function silent<T>(closed: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => {
        closed();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}

async function* given(...files: UploadFile[]): AsyncGenerator<UploadFile> {
  yield* files;
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0;
  for await (const chunk of body) count += chunk.length;
  return count;
}

it('ends the wait for a silent list of files', async () => {
  let closed = 0;
  const body = new MultipartBody(
    {},
    silent(() => (closed += 1)),
  );
  const drained = drain(body);
  expect(body.isWaitingForSource).toBe(true);
  body.stop();
  await expect(drained).rejects.toThrow('stopped');
  expect({ closed, failure: body.failure, isWhole: body.isComplete }).toEqual({
    closed: 1,
    failure: null,
    isWhole: false,
  });
});

it('ends the wait for a silent file', async () => {
  let closed = 0;
  const open = (): AsyncIterable<Uint8Array> => silent(() => (closed += 1));
  const body = new MultipartBody({}, given({ name: 'a', open }));
  const chunks = body[Symbol.asyncIterator]();
  await chunks.next();
  const next = chunks.next();
  await expect.poll(() => body.isWaitingForSource).toBe(true);
  body.stop();
  await expect(next).rejects.toThrow('stopped');
  expect(closed).toBe(1);
});

it('closes an unread list of files', () => {
  let closed = 0;
  new MultipartBody(
    {},
    silent(() => (closed += 1)),
  ).stop();
  expect(closed).toBe(1);
});

it('is complete only after its last boundary', async () => {
  const body = new MultipartBody({ a: 1 }, given());
  expect(body.isComplete).toBe(false);
  expect(await drain(body)).toBeGreaterThan(0);
  expect(body.isComplete).toBe(true);
});

it('has another boundary each time', () => {
  const types = [1, 2].map(() => new MultipartBody({}, given()).contentType);
  expect(types[0]).not.toBe(types[1]);
});
