import { skipToken, useQuery } from '@apollo/client/react';
import type { ComboboxOption } from '../../components/combobox.tsx';
import { graphql, useFragment } from '../../gql/index.ts';
import { useSessionState } from '../session/session-context.tsx';

const unitMembersFragment = graphql(`
  fragment UnitMembers on OrgUnit {
    id
    members {
      id
      systemId
      fullName
      unitName
    }
  }
`);

/** The DMS can list neither its people nor its units. These are the units of the sandbox: enter those of your DMS. */
const knownUnitsQuery = graphql(`
  query KnownUnits {
    management: orgUnit(id: "unit0001") {
      id
      ...UnitMembers
    }
    finance: orgUnit(id: "unit0002") {
      id
      ...UnitMembers
    }
    legal: orgUnit(id: "unit0003") {
      id
      ...UnitMembers
    }
    purchasing: orgUnit(id: "unit0004") {
      id
      ...UnitMembers
    }
    humanResources: orgUnit(id: "unit0005") {
      id
      ...UnitMembers
    }
    records: orgUnit(id: "unit0006") {
      id
      ...UnitMembers
    }
    sales: orgUnit(id: "unit0007") {
      id
      ...UnitMembers
    }
    it: orgUnit(id: "unit00a8") {
      id
      ...UnitMembers
    }
  }
`);

/** Returns the people to select from: members of known units, and those who can use the sandbox. */
export function usePeople(isNeeded = true) {
  const { people: sandboxPeople } = useSessionState();
  const { data: units = {}, loading } = useQuery(knownUnitsQuery, isNeeded ? {} : skipToken);
  const known = Object.values(units).filter((unit) => typeof unit === 'object' && unit !== null);
  const options = new Map<string, ComboboxOption>();
  for (const { members } of useFragment(unitMembersFragment, known)) {
    for (const member of members) {
      if (!member?.fullName) continue;
      const { systemId, fullName, unitName } = member;
      options.set(systemId, { value: systemId, label: fullName, detail: unitName });
    }
  }
  for (const { systemId, name, unit } of sandboxPeople) {
    options.set(systemId, { value: systemId, label: name, detail: unit });
  }
  const people = [...options.values()].toSorted((a, b) => a.label.localeCompare(b.label));
  return {
    people,
    isLoading: loading,
    nameOf: (systemId: string): string | null => options.get(systemId)?.label ?? null,
    /** Returns the system ID of a person by name, such as one of a spreadsheet. One that is not known here stays. */
    idOf: (name: string): string =>
      people.find(({ label }) => comparable(label) === comparable(name))?.value ?? name,
  };
}

/** A name as it is compared: cells of a spreadsheet and texts of web pages have other case and white space. */
function comparable(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
