import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/rest/client/http-client.ts';
import { openFeatures, openSchema, type Feature, type Parts } from '../../src/server/feature.ts';
import { startGateway } from '../helpers/gateway.ts';

const featureWith = (name: string, parts: Parts): Feature => ({ name, open: () => parts });
const open = (features: readonly Feature[]) => openFeatures(features, {} as never, {} as never);

describe('open features', () => {
  it('learn of each write', async () => {
    const learnt: string[] = [];
    const listener = (name: string): Feature =>
      featureWith(name, {
        hooks: {
          onWrite: async ({ resources }) => void learnt.push(`${name}: ${resources.join()}`),
        },
      });
    const off: Feature = { name: 'off', open: () => null };
    const { run } = await open([listener('one'), off, listener('another')]);
    await run('onWrite', { resources: ['persons'], document: null });
    expect(learnt).toEqual(['one: persons', 'another: persons']);
  });

  it('return their plugins in order, and learn that no more requests are accepted', async () => {
    const learnt: string[] = [];
    const features = ['one', 'another'].map((name) =>
      featureWith(name, {
        plugins: async ({ http }) => [{ name, http }],
        teamPlugins: [{ name }],
        hooks: { onStopping: () => void learnt.push(name) },
      }),
    );
    const { plugins, teamPlugins, run } = await open([...features, featureWith('without', {})]);
    expect(teamPlugins).toEqual([{ name: 'one' }, { name: 'another' }]);
    const http = {} as HttpClient;
    const created = await Promise.all(
      plugins.map((create) => create({ http, requestObserver: null })),
    );
    expect(created.flat()).toEqual([
      { name: 'one', http },
      { name: 'another', http },
    ]);
    void run('onStopping');
    expect(learnt).toEqual(['one', 'another']);
  });

  it('are stopped if two of them provide the same', async () => {
    const provides = { counters: { add: async () => null } };
    expect(await open([featureWith('one', { provides })])).toMatchObject({ provides });
    const stopped: string[] = [];
    const opening = open(
      ['one', 'another'].map((name) =>
        featureWith(name, { provides, hooks: { onStop: () => void stopped.push(name) } }),
      ),
    );
    await expect(opening).rejects.toThrow('Two features provide counters.');
    expect(stopped).toEqual(['one', 'another']);
  });

  it('have plugins that run before those of a team', async () => {
    const seen: string[] = [];
    const plugin = (name: string) => ({ onParse: () => void seen.push(name) });
    const gateway = await startGateway({
      features: [featureWith('one', { plugins: async () => [plugin('feature')] })],
      parts: { plugins: [plugin('team')] },
    });
    await gateway.query('{ __typename }');
    expect(seen).toEqual(['feature', 'team']);
  });

  it('create their plugins once, also if the schema fails the first time', async () => {
    let [created, transformed] = [0, 0];
    const feature: Feature = {
      ...featureWith('one', {
        plugins: async () => {
          created += 1;
          return [];
        },
      }),
      schema: () => ({
        transform(schema) {
          transformed += 1;
          if (transformed === 1) throw new Error('wrong');
          return schema;
        },
      }),
    };
    const gateway = await startGateway({ features: [feature] });
    expect((await gateway.query('{ __typename }')).status).toBe(500);
    expect((await gateway.query('{ __typename }')).status).toBe(200);
    expect([created, transformed]).toEqual([1, 2]);
  });

  it('are stopped if another one cannot be opened', async () => {
    const stopped: string[] = [];
    const failing: Feature = { name: 'bad', open: () => Promise.reject(new Error('wrong')) };
    const one = featureWith('one', { hooks: { onStop: async () => void stopped.push('one') } });
    await expect(open([one, failing])).rejects.toThrow('wrong');
    expect(stopped).toEqual(['one']);
  });
});

it('reject a second executor', async () => {
  const executor = { load: async () => {}, find: () => null };
  const feature = (name: string): Feature => ({ name, schema: () => ({ provides: { executor } }) });
  const opening = openSchema([feature('one'), feature('another')], {} as never, {} as never);
  await expect(opening).rejects.toThrow('Two features provide executor.');
});
