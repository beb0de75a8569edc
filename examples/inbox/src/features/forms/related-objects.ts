import { useStore } from '../../../../ui/store.ts';
import { topicOf } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { DeclaredObjectFragment } from '../../gql/graphql.ts';
import { currentLanguage, textIn, type Language } from '../../language/language.ts';

/**
 * The objects that the values of a document refer to, for the forms of the sandbox. The gateway knows which values are
 * references, so that each costs one call of the DMS, and no other value costs one.
 */
const relatedObjectsFragment = graphql(`
  fragment DeclaredReferences on Document {
    id
    invoice {
      supplier {
        ...DeclaredObject
      }
      costcentre {
        ...DeclaredObject
      }
      currency {
        ...DeclaredObject
      }
      buyer {
        ...DeclaredObject
      }
      contract {
        ...DeclaredObject
      }
      refdocs {
        ...DeclaredObject
      }
    }
    contract {
      partner {
        ...DeclaredObject
      }
      responsible {
        ...DeclaredObject
      }
      milestones {
        responsible {
          ...DeclaredObject
        }
      }
      refdocs {
        ...DeclaredObject
      }
    }
    purchase {
      costcentre {
        ...DeclaredObject
      }
      vendor {
        ...DeclaredObject
      }
      refdocs {
        ...DeclaredObject
      }
    }
    leave {
      kind {
        ...DeclaredObject
      }
      substitute {
        ...DeclaredObject
      }
    }
    letter {
      sender {
        ...DeclaredObject
      }
      addressee {
        ...DeclaredObject
      }
      refdocs {
        ...DeclaredObject
      }
    }
    memo {
      refdocs {
        ...DeclaredObject
      }
    }
    policy {
      owner {
        ...DeclaredObject
      }
      refdocs {
        ...DeclaredObject
      }
    }
  }
`);

graphql(`
  fragment DeclaredObject on Node {
    __typename
    id
    ... on Person {
      systemId
      fullName
      unitName
    }
    ... on Organization {
      fullId
      externalId
      governmentId
      name
    }
    ... on ListValue {
      fullId
      externalId
      translations {
        language
        text
      }
    }
    ... on Document {
      fullId
      shortId
      extra(names: ["topic"])
    }
  }
`);

interface RelatedObject {
  readonly name: string;
  readonly detail: string | null;
  readonly externalId: string | null;
  readonly documentId: string | null;
}

export type RelatedObjects = ReadonlyMap<string, RelatedObject>;

export function useRelatedObjects(
  document: FragmentType<typeof relatedObjectsFragment>,
): RelatedObjects {
  const language = useStore(currentLanguage);
  const objects = new Map<string, RelatedObject>();
  const add = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(add);
    else if (typeof value !== 'object' || value === null) return;
    else if (!isObject(value)) Object.values(value).forEach(add);
    else for (const id of idsOf(value)) objects.set(id, relatedObjectOf(value, language));
  };
  Object.values(useFragment(relatedObjectsFragment, document)).forEach(add);
  return objects;
}

function isObject(value: object): value is DeclaredObjectFragment {
  return 'id' in value;
}

/** The IDs by which the DMS knows an object. */
function idsOf(object: DeclaredObjectFragment): string[] {
  const { __typename: type } = object;
  const ids =
    type === 'Person'
      ? [object.systemId]
      : type === 'Organization'
        ? [object.fullId, object.externalId, object.governmentId]
        : type === 'ListValue'
          ? [object.fullId, object.externalId]
          : type === 'Document'
            ? [object.fullId, object.shortId]
            : [];
  return ids.filter((id) => id !== null);
}

function relatedObjectOf(object: DeclaredObjectFragment, language: Language): RelatedObject {
  const none = { name: '–', detail: null, externalId: null, documentId: null };
  switch (object.__typename) {
    case 'Person':
      return { ...none, name: object.fullName ?? '–', detail: object.unitName };
    case 'Organization':
      return { ...none, name: object.name ?? '–', detail: object.governmentId };
    case 'ListValue': {
      const { externalId, translations } = object;
      return { ...none, name: textIn(translations, language) ?? '–', externalId };
    }
    case 'Document': {
      const { shortId, fullId, extra } = object;
      return { ...none, name: topicOf(extra) ?? shortId ?? '–', documentId: shortId ?? fullId };
    }
    default:
      return none;
  }
}
