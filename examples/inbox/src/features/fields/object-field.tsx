import { skipToken, useQuery } from '@apollo/client/react';
import {
  Combobox,
  matchOptions,
  type ComboboxOption,
  type ComboboxProps,
} from '../../components/combobox.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { documentTitle, isShortId } from '../../domain/document.ts';
import { readReference, typedReference } from '../../domain/reference.ts';
import { graphql } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import type { RelatedObjects } from '../forms/related-objects.ts';
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
  /** ID of the object, or a text that names no object yet. Empty: none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly objects?: RelatedObjects | undefined;
}

interface ObjectComboboxProps extends ObjectInputProps {
  /** Name of the current object. Undefined: it is not known yet. */
  readonly name: string | undefined;
  readonly options: readonly ComboboxOption[];
  readonly isLoading?: boolean;
  readonly placeholder: string;
  readonly emptyText: string;
}

function ObjectCombobox(props: ObjectComboboxProps) {
  const { attributes, value, name, onChange, placeholder, ...list } = props;
  const t = useText();
  const { ids: id, typed } = readReference(value);
  const isUnknown = id !== '' && name === undefined;
  return (
    <Combobox
      {...list}
      attributes={{ placeholder: isUnknown ? t('Loading…') : placeholder, ...attributes }}
      text={typed || ((id && name) ?? '')}
      onType={(text) => onChange(typedReference(text))}
      onSelect={(option) => onChange(option.value)}
    />
  );
}

export function PersonInput(props: ObjectInputProps) {
  const { ids: id, typed } = readReference(props.value);
  const t = useText();
  const { people, isLoading, nameOf } = usePeople();
  const known = id === '' ? '' : (props.objects?.get(id)?.name ?? nameOf(id));
  const { data, loading } = useQuery(
    personNameQuery,
    known === null ? { variables: { id } } : skipToken,
  );
  const name = known ?? data?.person?.fullName ?? (loading ? undefined : t('Not visible to you'));
  return (
    <ObjectCombobox
      {...props}
      name={name}
      options={matchOptions(people, typed)}
      isLoading={isLoading}
      placeholder={t('Name or unit')}
      emptyText={t('No person of this name is known here.')}
    />
  );
}

export function OrganizationInput(props: ObjectInputProps) {
  const { attributes, onChange } = props;
  const { ids: id, typed } = readReference(props.value);
  const t = useText();
  const found = useQuery(organizationSearchQuery, { variables: { search: typed } });
  const known = props.objects?.get(id)?.name;
  const { data: current, loading } = useQuery(
    organizationNameQuery,
    id === '' || known !== undefined ? skipToken : { variables: { id } },
  );
  if (found.error && !found.previousData) {
    return (
      <input
        {...attributes}
        placeholder={t('ID of an organization')}
        autoComplete="off"
        value={id || typed}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const { nodes = [] } = (found.data ?? found.previousData)?.organizations ?? {};
  const options = nodes.map(({ fullId, name, governmentId }) => ({
    value: fullId,
    label: name ?? fullId,
    detail: governmentId,
  }));
  return (
    <ObjectCombobox
      {...props}
      name={known ?? current?.organization?.name ?? (loading ? undefined : t('Not visible to you'))}
      options={found.data ? options : matchOptions(options, typed)}
      isLoading={found.loading}
      placeholder={t('Name or ID of an organization')}
      emptyText={t(
        found.error ? 'The suggestions cannot be loaded.' : 'Nothing has this name or ID.',
      )}
    />
  );
}

function useDocumentName(id: string, objects: RelatedObjects | undefined): string | undefined {
  const t = useText();
  const known = objects?.get(id)?.name;
  const { data, loading } = useQuery(
    documentNameQuery,
    id === '' || known !== undefined ? skipToken : { variables: { id } },
  );
  if (known !== undefined) return known;
  if (data?.document) return documentTitle(data.document, t);
  return loading ? undefined : t('Not visible to you');
}

export function DocumentInput(props: ObjectInputProps) {
  const { ids, typed } = readReference(props.value);
  const t = useText();
  const shortId = typed.trim().toUpperCase();
  const recent = useQuery(recentDocumentsQuery);
  const found = useQuery(
    documentNameQuery,
    isShortId(shortId) ? { variables: { id: shortId } } : skipToken,
  );
  const name = useDocumentName(ids, props.objects);
  const documents = [
    ...(isShortId(shortId) && found.data?.document ? [found.data.document] : []),
    ...(recent.data?.documents?.nodes ?? []),
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
  return (
    <ObjectCombobox
      {...props}
      name={name}
      options={matchOptions([...options.values()], typed)}
      isLoading={found.loading || recent.loading}
      placeholder={t('Title of a recent document, or an ID')}
      emptyText={t(
        isShortId(shortId)
          ? 'No document that you can see has this ID.'
          : 'None of the latest documents. Enter a whole ID, such as DOC-0042.',
      )}
    />
  );
}

export function DocumentsInput({ attributes, value, onChange, objects }: ObjectInputProps) {
  const { ids: selected, typed } = readReference(value);
  const ids = selected.split(/[\s,]+/).filter(Boolean);
  const change = (next: readonly string[], text: string): void =>
    onChange([...new Set(next)].join(', ') + typedReference(text));
  return (
    <div className="stack-small">
      {ids.length > 0 && (
        <ul className="row">
          {ids.map((id) => (
            <DocumentChip
              key={id}
              id={id}
              objects={objects}
              onRemove={() =>
                change(
                  ids.filter((other) => other !== id),
                  typed,
                )
              }
            />
          ))}
        </ul>
      )}
      <DocumentInput
        attributes={attributes}
        value={typedReference(typed)}
        onChange={(next) => {
          const { ids: id, typed: text } = readReference(next);
          change(id === '' ? ids : [...ids, id], text);
        }}
      />
    </div>
  );
}

interface DocumentChipProps extends Pick<ObjectInputProps, 'objects'> {
  readonly id: string;
  readonly onRemove: () => void;
}

function DocumentChip({ id, objects, onRemove }: DocumentChipProps) {
  const t = useText();
  const name = useDocumentName(id, objects) ?? t('Loading…');
  return (
    <li className="badge chip">
      <span className="clip">{name}</span>
      <button
        type="button"
        className="button button-quiet button-icon"
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
