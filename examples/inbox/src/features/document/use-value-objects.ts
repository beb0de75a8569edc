import { skipToken, useQuery } from '@apollo/client/react';
import { useStore } from '../../client/store.ts';
import { currentLanguage } from '../../language/language.ts';
import { topicOf } from '../../domain/document.ts';
import { graphql } from '../../gql/index.ts';
import type { ValueObjectsQuery } from '../../gql/graphql.ts';

const valueObjectsQuery = graphql(`
  query ValueObjects($id: ID!, $tags: [String!]!, $language: String!) {
    document(id: $id) {
      id
      objectValues: values(tags: $tags) {
        tag
        ... on TextValue {
          person {
            id
            fullName
            unitName
          }
          organization {
            id
            name
            governmentId
          }
          listValue {
            id
            value(language: $language)
          }
          document {
            id
            shortId
            fullId
            extra(names: ["topic"])
          }
        }
      }
    }
  }
`);

/** The object that a value refers to. */
export interface ValueObject {
  readonly name: string;
  readonly detail: string | null;
  /** Set for a document. */
  readonly documentId: string | null;
}

/** Whether a text has the form of an ID. Only such values are looked up: each lookup costs calls of the DMS. */
export function isObjectId(text: string): boolean {
  return /^(?:[\da-f]{24}|usr-[\w-]+)$/.test(text);
}

/**
 * Returns the objects that the values with these tags refer to, by tag. It costs one request for all of them.
 * Undefined while they are loaded.
 */
export function useValueObjects(
  id: string,
  tags: readonly string[],
): ReadonlyMap<string, ValueObject> | undefined {
  const language = useStore(currentLanguage);
  const { data, previousData, loading } = useQuery(
    valueObjectsQuery,
    tags.length === 0 ? skipToken : { variables: { id, tags: [...tags], language } },
  );
  // The previous names stay until those of another language arrive.
  const document = (data ?? previousData)?.document;
  const isKnown = document?.id === id;
  if (loading && !isKnown) return undefined;
  const values = isKnown ? document.objectValues : [];
  return new Map(
    values.flatMap((value) => {
      const object = objectOf(value);
      return object === null ? [] : [[value.tag, object] as const];
    }),
  );
}

type Value = NonNullable<ValueObjectsQuery['document']>['objectValues'][number];

function objectOf(value: Value): ValueObject | null {
  if (!('person' in value)) return null;
  const { person, organization, listValue, document } = value;
  if (person?.fullName) {
    return { name: person.fullName, detail: person.unitName ?? null, documentId: null };
  }
  if (organization?.name) {
    const { name, governmentId } = organization;
    return { name, detail: governmentId ?? null, documentId: null };
  }
  if (listValue?.value) return { name: listValue.value, detail: null, documentId: null };
  if (!document) return null;
  const documentId = document.shortId ?? document.fullId;
  return { name: topicOf(document.extra) ?? document.shortId ?? '–', detail: null, documentId };
}
