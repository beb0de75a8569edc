import { NetworkStatus } from '@apollo/client';
import { skipToken, useQuery } from '@apollo/client/react';
import { currencyOf } from '../../domain/document.ts';
import { graphql } from '../../gql/index.ts';
import type { FieldDefinition } from './field-definition.ts';
import type { Texts } from './field-values.ts';

const listValueOptionsQuery = graphql(`
  query ListValueOptions {
    directories {
      id
      value
      values {
        id
        fullId
        externalId
        value
      }
    }
  }
`);

interface OptionGroup {
  readonly label: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly externalId: string | null;
  }[];
}

export type ObjectOptions = readonly OptionGroup[] | 'loading';

export function useObjectOptions(
  fields: readonly FieldDefinition[],
): ReadonlyMap<string, ObjectOptions> {
  const has = (type: string): boolean => fields.some((field) => field.type === type);
  const lists = useQuery(listValueOptionsQuery, has('listValue') ? {} : skipToken);
  const groups = new Map<string, ObjectOptions>();
  const directories = lists.data?.directories;
  if (directories) {
    groups.set(
      'listValue',
      directories.map(({ id, value, values }) => ({
        label: value ?? id,
        options: (values ?? []).map(({ fullId, externalId, value }) => ({
          value: fullId,
          externalId,
          label: value ?? fullId,
        })),
      })),
    );
  } else if (lists.networkStatus === NetworkStatus.loading) groups.set('listValue', 'loading');
  return groups;
}

/**
 * Returns fields with the currency that the document has among its values: a form of the sandbox has one for all amounts.
 * It is needed for amounts that are entered, so a document that is only read needs no list.
 */
export function useAmountFields(
  fields: readonly FieldDefinition[],
  texts: Texts,
  isEntered: boolean,
): readonly FieldDefinition[] {
  const lists = useObjectOptions(isEntered ? fields : []).get('listValue');
  const groups = typeof lists === 'object' ? lists : [];
  const options = groups.flatMap((group) => group.options);
  const chosen = options.find(({ value }) => value === texts.get('currency'));
  const currency = currencyOf(chosen);
  if (currency === null) return fields;
  return fields.map((field) => ({
    ...field,
    currency,
    columns: field.columns.map((column) => ({ ...column, currency })),
  }));
}
