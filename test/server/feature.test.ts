import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/rest/client/http-client.ts';
import type { Feature, FeatureParts } from '../../src/server/feature.ts';
import { declareForms, openFeatures } from '../../src/server/open-features.ts';
import { startGateway } from '../helpers/gateway.ts';
import { recordRequests } from '../helpers/recording-observer.ts';

const featureWith = (name: string, parts: FeatureParts): Feature => ({
  name,
  open: async () => parts,
});
const open = (features: readonly Feature[]) => openFeatures(features, {} as never, {} as never);

it('reject declared forms that none of them reads', () => {
  const sources = { forms: { file: 'forms.json' }, sandboxForms: [] };
  expect(() => declareForms([featureWith('without', {})], {} as never, sources)).toThrow(
    '`forms` is not an option of this gateway.',
  );
});

describe('open features', () => {
  it('learn of each write', async () => {
    const learnt: string[] = [];
    const listener = (name: string): Feature =>
      featureWith(name, {
        onWrite: async ({ resources }) => void learnt.push(`${name}: ${resources.join()}`),
      });
    const off: Feature = { name: 'off', open: async () => null };
    const { onWrite } = await open([listener('one'), off, listener('another')]);
    await onWrite?.({ resources: ['persons'], document: null });
    expect(learnt).toEqual(['one: persons', 'another: persons']);
    expect((await open([off])).onWrite).toBeNull();
  });

  it('return their plugins in order, and learn that no more requests are accepted', async () => {
    const learnt: string[] = [];
    const features = ['one', 'another'].map((name) =>
      featureWith(name, {
        plugins: async ({ http }) => [{ name, http }],
        guardedPlugins: [{ name }],
        stopAccepting: () => void learnt.push(name),
      }),
    );
    const { plugins, guardedPlugins, stopAccepting } = await open([
      ...features,
      featureWith('without', {}),
    ]);
    expect(guardedPlugins).toEqual([{ name: 'one' }, { name: 'another' }]);
    const http = {} as HttpClient;
    expect(await plugins(http)).toEqual([
      { name: 'one', http },
      { name: 'another', http },
    ]);
    stopAccepting();
    expect(learnt).toEqual(['one', 'another']);
  });

  it.each<FeatureParts>([
    { requestObserver: recordRequests().requestObserver },
    { sharedCache: { name: 'far', read: async () => ({ cached: null, store() {} }) } },
    { callCounters: { add: async () => null } },
    { extendSchema() {} },
  ])('are stopped if two of them have %o', async (parts) => {
    const [part = ''] = Object.keys(parts);
    expect(await open([featureWith('one', parts), featureWith('none', {})])).toMatchObject(parts);
    const stopped: string[] = [];
    const opening = open(
      ['one', 'another'].map((name) =>
        featureWith(name, { ...parts, stop: async () => void stopped.push(name) }),
      ),
    );
    await expect(opening).rejects.toThrow(`Only one feature can have a ${part}.`);
    expect(stopped).toEqual(['one', 'another']);
  });

  it('are asked before the gateway listens if one must know the server', async () => {
    const checked: string[] = [];
    const plain = featureWith('plain', {});
    const loaded = featureWith('loaded', { loaded: () => void checked.push('loaded') });
    expect(await open([plain])).toMatchObject({ needsServer: false });
    const opened = await open([plain, loaded]);
    expect(opened.needsServer).toBe(true);
    opened.loaded({} as never);
    expect(checked).toEqual(['loaded']);
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
      transformSchema(schema) {
        transformed += 1;
        if (transformed === 1) throw new Error('wrong');
        return schema;
      },
    };
    const gateway = await startGateway({ features: [feature] });
    const post = () =>
      gateway.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ __typename }"}',
      });
    expect((await post()).status).toBe(500);
    expect((await post()).status).toBe(200);
    expect([created, transformed]).toEqual([1, 2]);
  });

  it('are stopped if another one cannot be opened', async () => {
    const stopped: string[] = [];
    const failing: Feature = { name: 'bad', open: () => Promise.reject(new Error('wrong')) };
    const one = featureWith('one', { stop: async () => void stopped.push('one') });
    await expect(open([one, failing])).rejects.toThrow('wrong');
    expect(stopped).toEqual(['one']);
  });
});
