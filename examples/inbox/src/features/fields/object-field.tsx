import { skipToken, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import {
  Combobox,
  matchOptions,
  type ComboboxOption,
  type ComboboxProps,
} from '../../components/combobox.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { documentTitle, isShortId } from '../../domain/document.ts';
import { graphql } from '../../gql/index.ts';
import type { OrganizationSearchQuery } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { documentNameQuery } from './document-name-query.ts';
import { usePeople } from './use-people.ts';

const personNameQuery = graphql(`
  query PersonName($id: ID!) {
    person(id: $id) {
      id
      systemId
      fullName
      unitName
    }
  }
`);

const organizationNameQuery = graphql(`
  query OrganizationName($id: ID!) {
    organization(id: $id) {
      id
      name
    }
  }
`);

export const organizationSearchQuery = graphql(`
  query OrganizationSearch($search: String!) {
    organizations(search: $search, first: 50) {
      nodes {
        id
        fullId
        name
        governmentId
      }
    }
  }
`);

const recentDocumentsQuery = graphql(`
  query RecentDocuments {
    documents(view: ALL, first: 20) {
      nodes {
        id
        shortId
        fullId
        extra(names: ["topic"])
      }
    }
  }
`);

interface ObjectInputProps {
  readonly attributes: ComboboxProps['attributes'];
  /** ID of the object. Empty: none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface ObjectComboboxProps extends ObjectInputProps {
  /** Name of the current object. Undefined: it is not known. */
  readonly name: string | undefined;
  readonly find: (text: string) => readonly ComboboxOption[];
  readonly onType?: (text: string) => void;
  readonly placeholder: string;
  readonly emptyText: string;
}

function ObjectCombobox(props: ObjectComboboxProps) {
  const { attributes, value, name, onChange, find, onType, placeholder, emptyText } = props;
  const t = useText();
  /** Null: the user has not typed since the last choice. */
  const [text, setText] = useState<string | null>(null);
  const type = (typed: string): void => {
    setText(typed);
    onType?.(typed);
    if (typed === '') onChange('');
  };
  return (
    <Combobox
      attributes={{ placeholder, ...attributes }}
      text={text ?? (value === '' ? '' : (name ?? t('Loading…')))}
      onType={type}
      options={find(text ?? '')}
      onSelect={(option) => {
        setText(null);
        onType?.('');
        onChange(option.value);
      }}
      emptyText={emptyText}
      onBlur={() => setText(null)}
    />
  );
}

export function PersonInput(props: ObjectInputProps) {
  const { value } = props;
  const t = useText();
  const { people, nameOf } = usePeople();
  const known = value === '' ? '' : nameOf(value);
  const { data, loading } = useQuery(
    personNameQuery,
    known === null ? { variables: { id: value } } : skipToken,
  );
  const name = known ?? data?.person?.fullName ?? (loading ? undefined : t('Not visible to you'));
  return (
    <ObjectCombobox
      {...props}
      name={name}
      find={(text) => matchOptions(people, text)}
      placeholder={t('Name or unit')}
      emptyText={t('No person of this name is known here.')}
    />
  );
}

export function OrganizationInput(props: ObjectInputProps) {
  const { attributes, value, onChange } = props;
  const t = useText();
  const [search, setSearch] = useState('');
  const found = useQuery(organizationSearchQuery, { variables: { search } });
  const { data: current, loading } = useQuery(
    organizationNameQuery,
    value === '' ? skipToken : { variables: { id: value } },
  );
  if (found.error && !found.previousData) {
    return (
      <input
        {...attributes}
        placeholder={t('ID of an organization')}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const optionsOf = (data: OrganizationSearchQuery | undefined): ComboboxOption[] =>
    (data?.organizations.nodes ?? []).map(({ fullId, name, governmentId }) => ({
      value: fullId,
      label: name ?? fullId,
      detail: governmentId,
    }));
  return (
    <ObjectCombobox
      {...props}
      name={current?.organization?.name ?? (loading ? undefined : t('Not visible to you'))}
      // Until the result is there, those of the text before are offered that match this one as well.
      find={(text) =>
        found.data ? optionsOf(found.data) : matchOptions(optionsOf(found.previousData), text)
      }
      onType={setSearch}
      placeholder={t('Name or ID of an organization')}
      emptyText={t(found.loading ? 'Loading…' : 'Nothing has this name or ID.')}
    />
  );
}

export function DocumentInput(props: ObjectInputProps) {
  const { value } = props;
  const t = useText();
  const [typed, setTyped] = useState('');
  const shortId = typed.trim().toUpperCase();
  const { data: recent } = useQuery(recentDocumentsQuery);
  const found = useQuery(
    documentNameQuery,
    isShortId(shortId) ? { variables: { id: shortId } } : skipToken,
  );
  const { data: current, loading } = useQuery(
    documentNameQuery,
    value === '' ? skipToken : { variables: { id: value } },
  );
  const documents = [
    ...(found.data?.document ? [found.data.document] : []),
    ...(recent?.documents?.nodes ?? []),
  ];
  const options = new Map(
    documents.map((document) => {
      const { fullId } = document;
      return [
        fullId,
        { value: fullId, label: documentTitle(document, t), detail: document.shortId },
      ];
    }),
  );
  const name = current?.document
    ? documentTitle(current.document, t)
    : loading
      ? undefined
      : t('Not visible to you');
  return (
    <ObjectCombobox
      {...props}
      name={name}
      find={(text) => matchOptions([...options.values()], text)}
      onType={setTyped}
      placeholder={t('Title of a recent document, or an ID')}
      emptyText={t(
        !isShortId(shortId)
          ? 'None of the latest documents. Enter a whole ID, such as DOC-0042.'
          : found.loading
            ? 'Loading…'
            : 'No document that you can see has this ID.',
      )}
    />
  );
}

export function DocumentsInput({ attributes, value, onChange }: ObjectInputProps) {
  const ids = value.split(/[\s,]+/).filter(Boolean);
  const change = (next: readonly string[]): void => onChange([...new Set(next)].join(', '));
  return (
    <div className="stack-small">
      {ids.length > 0 && (
        <ul className="row">
          {ids.map((id) => (
            <DocumentChip
              key={id}
              id={id}
              onRemove={() => change(ids.filter((other) => other !== id))}
            />
          ))}
        </ul>
      )}
      <DocumentInput
        key={ids.length}
        attributes={attributes}
        value=""
        onChange={(id) => id !== '' && change([...ids, id])}
      />
    </div>
  );
}

interface DocumentChipProps {
  readonly id: string;
  readonly onRemove: () => void;
}

function DocumentChip({ id, onRemove }: DocumentChipProps) {
  const t = useText();
  const { data, loading } = useQuery(documentNameQuery, { variables: { id } });
  const name = data?.document
    ? documentTitle(data.document, t)
    : t(loading ? 'Loading…' : 'Not visible to you');
  return (
    <li className="badge chip">
      <span className="clip">{name}</span>
      <button
        type="button"
        aria-label={t('Remove {name}', { name })}
        onClick={({ currentTarget }) => {
          currentTarget.closest('.field')?.querySelector('input')?.focus(); // the button disappears
          onRemove();
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
