import { expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';
import { jwtIdentity, tokenWith } from '../helpers/jwt.ts';

const person = '{ person(id: "usr-ann") { email } }';
const trace = { 'x-upstream-trace': '1' };

const jwtSecret = 'jwt-secret-jwt-secret-jwt-secret-jwt';
const linkSecret = 'link-secret-link-secret-link-secret';
const accountKey = 'account-key-account-key-account-key';

it('no secret is in any log line, error, header, metric or trace', async () => {
  const claims = { email: 'ann@example.com', note: 'claim-that-nobody-needs' };
  const token = await tokenWith(claims, jwtSecret);
  const gateway = await startGateway({
    server: {
      identity: { ...jwtIdentity, secret: jwtSecret },
      credential: { kind: 'signed', accountId: 'api-1', key: accountKey, algorithm: 'HS256' },
      fileUrlSecret: linkSecret,
    },
  });
  const mine = { authorization: `Bearer ${token}`, ...trace };
  const echo = ({ headers }: { headers: object }) => JSON.stringify(headers);
  gateway.dms
    .reply('GET', /person\/usr-ann/, { _id_sys: 'usr-ann', email: 'x' })
    .reply('GET', /person\/usr-bob/, echo, { status: 500 })
    .reply('GET', /person\/usr-html/, (request) => `<html>${echo(request)}`)
    .reply('GET', /\/file\//, echo, { status: 403 });

  const seen: unknown[] = [];
  const note = async (response: Response): Promise<void> => {
    seen.push(Object.fromEntries(response.headers), await response.text());
  };
  for (const id of ['usr-ann', 'usr-bob', 'usr-html']) {
    seen.push(await gateway.query(`{ person(id: "${id}") { email } }`, {}, mine));
  }
  seen.push(await gateway.query(person, { password: 'variable-password' }, mine));
  seen.push(await gateway.query(person, {}, { authorization: `Bearer ${token}x` }));
  seen.push(await gateway.query(person, {}, { authorization: 'Basic basic-password' }));
  seen.push(await gateway.query(person, {}, { ...mine, 'svc-run-as': 'usr-boss' }));
  const link = `/files/documents/a/b?t=token-in-link`;
  await note(await gateway.fetch(link));
  await note(await gateway.fetch('/files/documents/a/b', { headers: mine }));
  await note(await gateway.fetch('/metrics'));

  const upstream = gateway.dms.received.map(({ headers }) => headers['authorization'] ?? '');
  expect(new Set(upstream).size).toBeGreaterThan(2); // each path has its own signature
  const output = JSON.stringify([seen, gateway.log, await gateway.metrics.text()]);
  const secrets = [
    jwtSecret,
    linkSecret,
    accountKey,
    token,
    token.split('.')[2]!,
    'basic-password',
    'variable-password',
    'token-in-link',
    'claim-that-nobody-needs',
    ...upstream.flatMap((one) => [one, one.split('.')[2]!]),
  ];
  expect(secrets.filter((one) => one !== '' && output.includes(one))).toEqual([]);
  expect(output).not.toMatch(/Bearer ey|"svc-run-as"/);
});
