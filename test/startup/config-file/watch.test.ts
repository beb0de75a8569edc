/** @module-tag nightly */
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { customField, wireForm } from '../../helpers/forms.ts';
import { addressOf, spawnGateway, spawnGatewayIn } from '../../helpers/process.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

/** A configuration whose plugin answers `/value` with what `value.ts` exports. */
const config = `
import { value } from './value.ts';
export default {
  forms: { file: 'forms.json' },
  plugins: [
    {
      onRequest({ url, endResponse }) {
        if (url.pathname === '/value') endResponse(new Response(value));
      },
    },
  ],
};`;
const valueFile = (value: string): string => `export const value: string = '${value}';`;

/** A directory with these files and links, in which the gateway runs with `--watch`. */
async function startIn(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
  others: Readonly<Record<string, string>> = {},
) {
  const directory = temporaryDirectory();
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(directory, name));
  const port = String(await freePort());
  const settings = { DMS_URL: 'http://127.0.0.1:9', PORT: port, ...others };
  return { directory, write, gateway: spawnGatewayIn(directory, settings, '--watch') };
}

const formsFile = (tag: string): string =>
  JSON.stringify([wireForm('memo', [customField('text', tag)])]);
const files = {
  'gateway.config.ts': config,
  'value.ts': valueFile('one'),
  'forms.json': formsFile('old'),
};

const textOf = (url: string): Promise<string> =>
  fetch(url, { headers: { 'apollo-require-preflight': '1' } }).then(
    (response) => response.text(),
    () => 'no answer',
  );

describe('--watch', () => {
  it('starts again on the same port when the configuration or an imported file changes', async () => {
    const { directory, write, gateway } = await startIn(files);
    const url = await addressOf(gateway);
    expect(await textOf(`${url}/value`)).toBe('one');
    write('value.ts', valueFile('two'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('two');
    write('new.tmp', valueFile('three'));
    renameSync(join(directory, 'new.tmp'), join(directory, 'value.ts'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('three');
    write('gateway.config.ts', config.replace('(value)', '(`new ${value}`)'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('new three');
  });

  it('starts again when what is behind a link changes, or the link', async () => {
    const { 'gateway.config.ts': linked, ...others } = files;
    const links = { 'gateway.config.ts': 'linked.ts' };
    const { directory, write, gateway } = await startIn({ ...others, 'linked.ts': linked }, links);
    const url = await addressOf(gateway);
    write('value.ts', valueFile('two'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('two');
    write('linked.ts', config.replace('(value)', '(`new ${value}`)'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('new two');
    write('other.ts', config.replace('(value)', '(`other ${value}`)'));
    symlinkSync('other.ts', join(directory, 'new.tmp'));
    renameSync(join(directory, 'new.tmp'), join(directory, 'gateway.config.ts'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('other two');
  });

  it('starts again when the file of forms changes', async () => {
    const { write, gateway } = await startIn(files);
    const url = await addressOf(gateway);
    expect(await textOf(`${url}/schema.graphql`)).toContain('  old: String');
    write('forms.json', formsFile('changed'));
    await expect.poll(() => textOf(`${url}/schema.graphql`)).toContain('  changed: String');
  });

  it('starts all workers again', async () => {
    const { write, gateway } = await startIn(files, {}, { WORKERS: '2' });
    const url = await addressOf(gateway);
    expect(await textOf(`${url}/value`)).toBe('one');
    write('value.ts', valueFile('two'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('two');
    const values = await Promise.all(Array.from({ length: 8 }, () => textOf(`${url}/value`)));
    expect(new Set(values)).toEqual(new Set(['two']));
  });

  it('says what is wrong, and starts when it is not any more', async () => {
    const { write, gateway } = await startIn(files);
    const url = await addressOf(gateway);
    write('value.ts', 'export const value =;');
    await expect.poll(gateway.output).toMatch(/value\.ts:1[^]*Waiting for file changes/);
    write('value.ts', valueFile('two'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('two');
    write('gateway.config.ts', config.replace('value.ts', 'later.ts'));
    await expect.poll(gateway.output).toMatch(/later\.ts[^]*Waiting for file changes/);
    write('later.ts', valueFile('three'));
    await expect.poll(() => textOf(`${url}/value`)).toBe('three');
  });

  it('starts again when a configuration is added', async () => {
    const { write, gateway } = await startIn({ 'value.ts': valueFile('one') });
    const url = await addressOf(gateway);
    expect(await textOf(`${url}/value`)).toContain('NOT_FOUND');
    write('forms.json', files['forms.json']);
    write('gateway.config.ts', config);
    await expect.poll(() => textOf(`${url}/value`)).toBe('one');
  });

  it('does not wait for a request that is not answered', async () => {
    const text = config.replace('endResponse(new Response(value))', 'return new Promise(() => {})');
    const { write, gateway } = await startIn({ ...files, 'gateway.config.ts': text });
    const url = await addressOf(gateway);
    // A late event of the files that were just written can start it once more.
    const running: Promise<string>[] = [];
    const request = async (): Promise<string> => {
      const answer = await textOf(`${url}/value`);
      running.length = 0;
      return answer;
    };
    await expect
      .poll(() => {
        if (running.length === 0) running.push(request());
        return textOf(`${url}/metrics`);
      })
      .toMatch(/^gateway_requests_in_flight 2$/m);
    const [waiting] = running;
    write('gateway.config.ts', config);
    expect(await waiting).toBe('no answer');
    await expect.poll(() => textOf(`${url}/value`)).toBe('one');
  });

  it('ends the gateway with it', async () => {
    const { gateway } = await startIn(files);
    const url = await addressOf(gateway);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(await textOf(`${url}/value`)).toBe('no answer');
  });

  it.each([
    [{ NODE_ENV: 'production' }, [], '--watch is for development, and NODE_ENV is production'],
    [{}, ['check'], '--watch cannot be used with check'],
  ])('is rejected with %o and the arguments %o', async (settings, others, message) => {
    const gateway = spawnGateway(settings, '--watch', ...others);
    expect(await gateway.exited).toBe(1);
    expect(gateway.output().split('\n')[0]).toBe(message);
  });
});
