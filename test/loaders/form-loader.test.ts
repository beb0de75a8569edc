import { describe, expect, it } from 'vitest';
import { FormLoader } from '../../src/loaders/index.ts';
import type { Form } from '../../src/model/form.ts';
import { RestError } from '../../src/rest/client/rest-error.ts';

const FULL = '65f000005eed00f000000001';
const OTHER = '65f000005eed00f000000002';
const form = { fullId: FULL, shortId: 'invoice' } as Form;
const other = { fullId: OTHER, shortId: 'contract' } as Form;

/** A loader of which the first read fails, if `fails` is true, and the reads. */
function loaderOf(fails: boolean) {
  const reads: string[] = [];
  const read = async <T>(key: string, value: T): Promise<T> => {
    reads.push(key);
    if (fails && reads.length === 1) throw new RestError('UPSTREAM_ERROR', 'GET');
    return value;
  };
  const loader = new FormLoader({
    all: () => read('all', [form, other]),
    get: (fullId) => read(fullId, form),
  });
  return { loader, reads };
}

describe('a failed read', () => {
  it('of the list is repeated', async () => {
    const { loader, reads } = loaderOf(true);
    await expect(loader.all()).rejects.toThrow('UPSTREAM_ERROR');
    expect(await loader.load('invoice')).toBe(form);
    expect(reads).toEqual(['all', 'all']);
  });

  it('of one form is repeated', async () => {
    const { loader, reads } = loaderOf(true);
    await expect(loader.load(FULL)).rejects.toThrow('UPSTREAM_ERROR');
    expect(await loader.load(FULL)).toBe(form);
    expect(reads).toEqual([FULL, FULL]);
  });
});

it('finds a full ID in the list if that was read', async () => {
  const { loader, reads } = loaderOf(false);
  await loader.all();
  expect(await loader.load(FULL)).toBe(form);
  expect(reads).toEqual(['all']);
});
