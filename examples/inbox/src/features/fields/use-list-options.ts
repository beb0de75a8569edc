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

export type ListOptions = readonly OptionGroup[] | 'loading';

/** Returns the list values to select from. Undefined: no field needs them, or they cannot be read. */
export function useListOptions(fields: readonly FieldDefinition[]): ListOptions | undefined {
  const isNeeded = fields.some(({ type }) => type === 'listValue');
  const lists = useQuery(listValueOptionsQuery, isNeeded ? {} : skipToken);
  if (!lists.data?.directories) {
    return lists.networkStatus === NetworkStatus.loading ? 'loading' : undefined;
  }
  return lists.data.directories.map(({ id, value, values }) => ({
    label: value ?? id,
    options: (values ?? []).map(({ fullId, externalId, value }) => ({
      value: fullId,
      externalId,
      label: value ?? fullId,
    })),
  }));
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
  const lists = useListOptions(isEntered ? fields : []);
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
