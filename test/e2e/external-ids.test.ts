import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';

it('stores and finds external IDs in any script', async () => {
  const { query, requests } = await startGatewayOnSandbox();
  const externalId = 'ООО «Ромашка», № 5 + 100 %?';
  const governmentId = 'Müller & Söhne; #7?';
  const unitId = '東京 支店 #1';
  const stored = await query(
    `mutation ($organization: UpsertOrganizationInput!, $unit: UpsertOrgUnitInput!) {
      upsertOrganization(input: $organization) {
        ... on UpsertOrganizationPayload { organization { fullId externalId governmentId } }
      }
      upsertOrgUnit(input: $unit) { ... on UpsertOrgUnitPayload { orgUnit { id systemId } } }
    }`,
    {
      organization: { name: 'Camomile', externalId, governmentId },
      unit: { id: unitId, name: 'Tokyo' },
    },
  );
  expect(stored.errors).toBeUndefined();
  const { fullId } = stored.data.upsertOrganization.organization;
  const { id: unit } = stored.data.upsertOrgUnit.orgUnit;
  expect(stored.data).toMatchObject({
    upsertOrganization: { organization: { externalId, governmentId } },
    upsertOrgUnit: { orgUnit: { systemId: unitId } },
  });

  requests.length = 0;
  const found = await query(
    `query ($externalId: ID!, $governmentId: ID!, $unitId: ID!, $unit: ID!) {
      a: organization(id: $externalId) { fullId }
      b: organization(id: $governmentId) { fullId }
      c: orgUnit(id: $unitId) { name }
      node(id: $unit) { id ... on OrgUnit { name } }
    }`,
    { externalId, governmentId, unitId, unit },
  );
  expect(found.errors).toBeUndefined();
  expect(found.data).toEqual({
    a: { fullId },
    b: { fullId },
    c: { name: 'Tokyo' },
    node: { id: unit, name: 'Tokyo' },
  });
  expect(requests.toSorted()).toEqual([
    `GET /api/v2/crm/org/${encodeURIComponent(externalId)}`,
    `GET /api/v2/crm/org/${encodeURIComponent(governmentId)}`,
    `GET /api/v2/orgUnit/${encodeURIComponent(unitId)}`,
  ]);
});
