import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Wire } from './helpers.ts';
import { sharedSandbox, seeded } from './helpers.ts';

const dms = sharedSandbox();

const path = '/api/v2/person/usr-ann';
const key = 'sandbox-signing-key-of-api-gateway-0001';

function token(changes: {
  aud?: string;
  sub?: string;
  lifetimeS?: number;
  issuedAgoS?: number;
  nbfInS?: number;
  key?: string;
}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const issued = now - (changes.issuedAgoS ?? 0);
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(changes.sub ?? 'api-gateway')
    .setAudience(changes.aud ?? `GET:${path}`)
    .setIssuedAt(issued)
    .setNotBefore(now + (changes.nbfInS ?? -1))
    .setExpirationTime(issued + (changes.lifetimeS ?? 60))
    .sign(new TextEncoder().encode(changes.key ?? key));
}

describe('credentials', () => {
  it('rejects missing, unknown and retired ones', async () => {
    for (const authorization of ['', 'Bearer nobody', 'Basic eDp5', 'Bearer sandbox-retired']) {
      const { status, headers, body } = await dms.call(path, { headers: { authorization } });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(body).toEqual({ error: 'A valid credential of a service account is required.' });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('accepts a token that is signed for the call', async () => {
    const authorization = `Bearer ${await token({})}`;
    expect((await dms.call(`${path}?any=query`, { authorization })).status).toBe(200);
    expect((await dms.call('/api/v2/person/usr-bob', { authorization })).status).toBe(401);
  });

  it('rejects forged, expired, early and long-lived tokens', async () => {
    const unsigned = new UnsecuredJWT({})
      .setSubject('api-gateway')
      .setAudience(`GET:${path}`)
      .setIssuedAt()
      .setExpirationTime('1m')
      .encode();
    const bad = {
      unsigned,
      forged: await token({ key: 'another-key-of-sufficient-length-000001' }),
      nobody: await token({ sub: 'api-nobody' }),
      retired: await token({ sub: 'api-retired', key: 'sandbox-signing-key-of-api-retired-0005' }),
      method: await token({ aud: `POST:${path}` }),
      expired: await token({ issuedAgoS: 120, lifetimeS: 60 }),
      early: await token({ nbfInS: 60 }),
      long: await token({ lifetimeS: 3600 }),
    };
    for (const [name, jwt] of Object.entries(bad)) {
      const { status } = await dms.call(path, { authorization: `Bearer ${jwt}` });
      expect([name, status]).toEqual([name, 401]);
    }
  });
});

describe('run-as', () => {
  it('accepts a system ID or e-mail address', async () => {
    const lists = await Promise.all(
      ['usr-ann', 'ann@example.com', 'ANN@example.com'].map(async (as) => {
        const { body } = await dms.call<Wire[]>('/api/v2/docForm/view/inbox', { as });
        return body.map((document) => document._id);
      }),
    );
    expect(lists[0]).toHaveLength(10);
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  it('rejects unknown and inactive users', async () => {
    for (const as of ['usr-nobody', 'nobody@example.com', 'usr-ivan', 'api-reader', '']) {
      const { status, headers } = await dms.call(path, { as });
      expect([as, status]).toEqual([as, 403]);
      expect(headers.get('x-error')).toBe(
        'svc-run-as must be the system id or e-mail address of an active user.',
      );
    }
  });

  it("uses the user's rights and not the account's", async () => {
    expect((await dms.call('/api/v2/sysForm')).status).toBe(200);
    const { status, headers } = await dms.call('/api/v2/sysForm', { as: 'usr-ann' });
    expect(status).toBe(403);
    expect(headers.get('x-error')).toBe('The role elAdminDocsR is required.');
    expect((await dms.call('/api/v2/sysForm', { as: 'usr-greta' })).status).toBe(200);
    const intake = { authorization: 'Bearer sandbox-intake', as: 'usr-greta' };
    expect((await dms.call('/api/v2/sysForm', intake)).status).toBe(200);
  });
});

it.each([
  ['GET', '/api/v2/sysForm', 'elAdminDocsR'],
  ['GET', `/api/v2/sysForm/${seeded.form(1)}`, 'elAdminDocsR'],
  ['GET', '/api/v2/docResponse/65f000005eed00b000000001', 'elAdminDocsR'],
  ['GET', '/api/v1/docResponse/65f000005eed00b000000001', 'elAdminDocsR'],
  ['POST', '/api/v2/listValue', 'elAdminDocRW'],
  ['POST', '/api/v1/listValue', 'elAdminDocRW'],
  ['POST', '/api/v2/crm/org', 'elAdminCrmRW'],
  ['POST', '/api/v1/crm/org', 'elAdminCrmRW'],
  ['DELETE', `/api/v2/crm/org/${seeded.organization(1)}`, 'elAdminCrmRW'],
  ['POST', '/api/v2/person', 'elAdminSysRW'],
  ['POST', '/api/v1/person', 'elAdminSysRW'],
  ['POST', '/api/v2/orgUnit', 'elAdminSysRW'],
])('%s %s requires the role %s', async (method, at, role) => {
  const body = method === 'POST' ? { body: {} } : {};
  const authorization = 'Bearer sandbox-intake';
  const { status, headers } = await dms.call(at, { method, authorization, ...body });
  expect([status, headers.get('x-error')]).toEqual([403, `The role ${role} is required.`]);
});

describe('access', () => {
  it('shows users different documents', async () => {
    const idsOf = async (as: string) => {
      const { body } = await dms.call<Wire[]>(
        '/api/v2/docForm/view/all?fields=author&pageSize=100',
        {
          as,
        },
      );
      return new Set(body.map((document) => String(document._id)));
    };
    const [ann, lukas] = await Promise.all([idsOf('usr-ann'), idsOf('usr-lukas')]);
    expect(ann.difference(lukas).size).toBeGreaterThan(5);
    expect(lukas.difference(ann).size).toBeGreaterThan(5);
    const [hidden] = ann.difference(lukas);
    for (const at of ['', '?embed=filesList', '/file/65f000005eed00a000000010']) {
      const answer = await dms.call(`/api/v2/docForm/${hidden}${at}`, { as: 'usr-lukas' });
      expect(answer.status).toBe(404);
    }
    expect((await dms.call(`/api/v2/docForm/${hidden}`, { as: 'usr-ann' })).status).toBe(200);
  });

  it('shows an account without roles its own documents', async () => {
    const authorization = 'Bearer sandbox-intake';
    const at = '/api/v2/docForm/view/all?fields=author&pageSize=100';
    const { body, headers } = await dms.call<Wire[]>(at, { authorization });
    expect(headers.get('svc-total-count')).toBe('20');
    expect(new Set(body.map((document) => document.author))).toEqual(new Set(['api-intake']));
  });

  it('omits references that the caller cannot see', async () => {
    const at = `/api/v2/docForm/${seeded.document(2)}?fields=_id&embed=refByDocs`;
    const everything = await dms.call<{ refByDocs: string[] }>(at);
    const own = await dms.call<{ refByDocs: string[] }>(at, { as: 'usr-dina' });
    expect(everything.body.refByDocs.length).toBeGreaterThanOrEqual(5);
    expect(own.body.refByDocs.length).toBeLessThan(everything.body.refByDocs.length);
  });
});
