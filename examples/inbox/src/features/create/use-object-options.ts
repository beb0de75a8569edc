import { skipToken, useQuery } from '@apollo/client/react';
import { useText } from '../../language/text.ts';
import { graphql } from '../../gql/index.ts';
import type { FieldDefinition } from './form-fields.ts';

const organizationOptionsQuery = graphql(`
  query OrganizationOptions {
    organizations(first: 500) {
      nodes {
        id
        fullId
        name
      }
    }
  }
`);

const listValueOptionsQuery = graphql(`
  query ListValueOptions {
    directories {
      id
      value
      values {
        id
        fullId
        value
      }
    }
  }
`);

/** Objects that a value can refer to. */
export interface OptionGroup {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/**
 * Returns the objects to select from, by the type of the field. A type is missing while its objects are loaded, and for
 * users that are not allowed to list them: they enter an ID.
 */
export function useObjectOptions(
  fields: readonly FieldDefinition[],
): ReadonlyMap<string, readonly OptionGroup[]> {
  const t = useText();
  const has = (type: string): boolean => fields.some((field) => field.type === type);
  const organizations = useQuery(organizationOptionsQuery, has('crmOrg') ? {} : skipToken);
  const lists = useQuery(listValueOptionsQuery, has('listValue') ? {} : skipToken);
  const groups = new Map<string, OptionGroup[]>();
  const nodes = organizations.data?.organizations?.nodes;
  if (nodes) {
    const options = nodes.map(({ fullId, name }) => ({ value: fullId, label: name ?? fullId }));
    groups.set('crmOrg', [{ label: t('Organizations'), options: options.toSorted(byLabel) }]);
  }
  const directories = lists.data?.directories;
  if (directories) {
    groups.set(
      'listValue',
      directories.map(({ id, value, values }) => ({
        label: value ?? id,
        options: (values ?? []).map(({ fullId, value }) => ({
          value: fullId,
          label: value ?? fullId,
        })),
      })),
    );
  }
  return groups;
}

function byLabel(one: { readonly label: string }, other: { readonly label: string }): number {
  return one.label.localeCompare(other.label);
}
