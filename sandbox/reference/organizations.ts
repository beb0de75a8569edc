import { json } from '../http/response.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { pageOf } from '../http/query-parameters.ts';
import { notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import { metaOf } from '../store/meta.ts';
import type { Organization } from '../store/organizations.ts';
import { findOrganization, listOrganizations, locateOrganization } from '../store/organizations.ts';

/** GET v2 crm/org: a page and the total count (REST spec, CRM organizations). */
export function getOrganizations({ db }: Service): Handler {
  return ({ query }) => {
    const { first, pageSize } = pageOf(query);
    const { page, total } = listOrganizations(db, first, pageSize);
    return json(page.map(organizationToWire), 200, { 'X-Total-Count': String(total) });
  };
}

/** GET v2 crm/org/{id}: the first match of full, external and government ID (REST spec, CRM organizations). */
export function getOrganization({ db }: Service): Handler {
  return (context) => json(organizationToWire(locate({ db }, param(context, 'id'))));
}

/** GET v1 crm/org/{id} by full ID, in the shape of version 1. */
export function getOrganizationV1({ db }: Service): Handler {
  return (context) => {
    const organization = findOrganization(db, param(context, 'id').toLowerCase());
    if (organization === undefined) throw notFound('There is no such organization.');
    return json(organizationToWireV1(organization));
  };
}

export function locate({ db }: Pick<Service, 'db'>, id: string): Organization {
  const found = locateOrganization(db, { fullId: id.toLowerCase(), externalId: id, govId: id });
  if (found === undefined) throw notFound('There is no such organization.');
  return found;
}

export function organizationToWire(organization: Organization): Record<string, unknown> {
  const { body } = organization;
  return {
    _id: organization.id,
    _id_web: organization.webId,
    _id_ext: organization.externalId ?? '',
    govId: organization.govId ?? '',
    owner: body.owner ?? '',
    author: body.author,
    notes: body.notes ?? '',
    name: body.name,
    nameExt: body.nameExt ?? [],
    ...(body.areaId === undefined ? {} : { areaId: body.areaId }),
    ...(body.typeId === undefined ? {} : { typeId: body.typeId }),
    _meta: metaOf(organization),
  };
}

export function organizationToWireV1(organization: Organization): Record<string, unknown> {
  const { body } = organization;
  return {
    _id: organization.id,
    _id_web: organization.webId,
    owner: body.owner ?? '',
    author: body.author,
    description: body.notes ?? '',
    orgname: body.name,
    orgarea: body.areaId ?? '',
    orgnameext: body.nameExt ?? [],
    orgstateid: organization.govId ?? '',
    orgtype: body.typeId ?? '',
    ...(body.tags === undefined ? {} : { tags: body.tags }),
    ...(body.cfdata === undefined ? {} : { cfdata: body.cfdata }),
    _meta: metaOf(organization),
  };
}
