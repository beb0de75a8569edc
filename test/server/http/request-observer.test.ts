import { describe, expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { recordRequests } from '../../helpers/recording-observer.ts';

async function startObserved(options: TestGatewayOptions = {}) {
  const { feature, events } = recordRequests();
  const gateway = await startGateway({ ...options, features: [feature] });
  gateway.dms.reply('GET', /\/person\//, { _id_sys: 'usr-ann', email: 'ann@example.com' });
  return { gateway, dms: gateway.dms, events };
}

const person = 'query Ann { person(id: "usr-ann") { email } }';

describe('an observer of requests', () => {
  it('follows an operation and its calls, and adds to headers and log lines', async () => {
    const { gateway, dms, events } = await startObserved();
    await gateway.query(person);
    await expect.poll(() => gateway.log).toHaveLength(1);
    expect(events).toEqual([
      'request: POST /graphql',
      'operation: query Ann after OK',
      'operation: GET /api/v2/person/{id} for persons.get, attempt 1',
      'operation: call ended with 200, null',
      'request: ended with 200, OK, complete: true',
    ]);
    expect(dms.received[0]!.headers['x-observed']).toBe('operation');
    expect(gateway.log[0]).toMatchObject({ msg: 'request', observed: 'yes' });
  });

  it('learns of retries, cached reads and the code of the first error', async () => {
    const { gateway, dms, events } = await startObserved({
      http: { retries: 1, cacheTtlMs: 60_000 },
    });
    await gateway.query(person);
    events.length = 0;
    dms.reply('GET', /\/person\//, () => {
      throw new Error('reset');
    });
    await gateway.query(
      '{ a: person(id: "usr-ann") { email } b: person(id: "usr-bob") { email } }',
    );
    await expect.poll(() => events.at(-1)).toMatch(/^request: ended/);
    expect(events.slice(2)).toEqual([
      'operation: persons from memory',
      'operation: GET /api/v2/person/{id} for persons.get, attempt 1',
      'operation: call ended with null, UPSTREAM_UNAVAILABLE',
      'operation: GET /api/v2/person/{id} for persons.get, attempt 2',
      'operation: call ended with null, UPSTREAM_UNAVAILABLE',
      'request: ended with 200, UPSTREAM_UNAVAILABLE, complete: true',
    ]);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ msg: 'failure', code: 'UPSTREAM_UNAVAILABLE', observed: 'yes' }),
    );
  });

  it('learns which reads join another one', async () => {
    const { gateway, dms, events } = await startObserved();
    const asked = Promise.withResolvers<void>();
    dms.reply('GET', /\/person\//, async () => {
      await asked.promise;
      return { _id_sys: 'usr-ann', email: 'ann@example.com' };
    });
    const answers = [gateway.query(person), gateway.query(person)];
    await expect.poll(() => events).toContain('operation: shared persons.get');
    asked.resolve();
    await Promise.all(answers);
    expect(dms.requests).toEqual(['GET /api/v2/person/usr-ann']);
  });

  it('follows a file, and knows no request for health', async () => {
    const { gateway, dms, events } = await startObserved();
    dms.reply('GET', /\/file\//, 'content');
    await (await gateway.fetch('/healthz')).text();
    await (await gateway.fetch('/files/documents/d/f')).text();
    await expect.poll(() => events.at(-1)).toMatch(/^request: ended/);
    expect(events).toEqual([
      'request: GET null',
      'request: is for /files/documents/{document}/{file}',
      'request: GET /api/v2/docForm/{id}/file/{fileId} for documents.file, attempt 1',
      'request: call ended with 200, null',
      'request: ended with 200, OK, complete: true',
    ]);
  });
});
