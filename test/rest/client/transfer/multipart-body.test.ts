import { expect, it } from 'vitest';
import { MultipartBody } from '../../../../src/rest/client/transfer/upload.ts';

it('ends the wait for a silent list of files', async () => {
  let closed = 0;
  const silent: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => {
        closed += 1;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const body = new MultipartBody({}, silent);
  const next = body[Symbol.asyncIterator]().next();
  expect(body.isWaitingForSource).toBe(true);
  body.stop();
  await expect(next).rejects.toThrow('stopped');
  expect({ closed, failure: body.failure }).toEqual({ closed: 1, failure: null });
});
