import { describe, expect, it } from 'vitest';
import { refusingUrl } from '../../helpers/failing-dms.ts';
import { startGateway, startGatewayBefore } from '../../helpers/gateway.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';

const person = 'query Who { person(id: "usr-ann") { email } }';

describe('the log', () => {
  it('has one line per request', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'x' });
    await gateway.query(person, {}, { 'x-request-id': 'r-1' });
    expect(gateway.log).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        msg: 'request',
        requestId: 'r-1',
        kind: 'graphql',
        operation: 'Who',
        type: 'query',
        ms: expect.any(Number),
        calls: 1,
        outcome: 'OK',
        status: 200,
      },
    ]);
  });

  it('counts only calls that were sent', async () => {
    const gateway = await startGatewayBefore(await refusingUrl(), { http: { retries: 0 } });
    // Twenty failures in a row open the circuit.
    for (let nth = 0; nth < 25; nth += 1) await gateway.query(person);
    const requests = gateway.log.filter(({ msg }) => msg === 'request');
    expect(requests[0]).toMatchObject({ calls: 1, outcome: 'UPSTREAM_UNAVAILABLE' });
    expect(requests.at(-1)).toMatchObject({ calls: 0, outcome: 'UPSTREAM_UNAVAILABLE' });
  });

  it('logs an invalid token at level info', async () => {
    const jwt = await startGateway({ server: { identity: jwtIdentity } });
    await jwt.query('{ viewer { runAs } }', {}, { authorization: 'Bearer not.a.token' });
    const failures = jwt.log.filter(({ msg }) => msg === 'failure');
    expect(failures).toMatchObject([{ level: 30, code: 'UNAUTHENTICATED' }]);
    expect(failures[0]).not.toHaveProperty('stack');
  });

  it('truncates the name of an operation', async () => {
    const gateway = await startGateway();
    await gateway.query(`query ${'N'.repeat(1000)} { viewer { runAs } }`);
    expect(gateway.log[0]?.['operation']).toBe('N'.repeat(64));
  });

  it('omits monitoring requests', async () => {
    const gateway = await startGateway();
    await gateway.fetch('/healthz');
    await gateway.fetch('/metrics');
    expect(gateway.log).toEqual([]);
  });
});
