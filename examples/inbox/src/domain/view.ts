import type { IconName } from '../../../ui/icon.tsx';
import type { DocumentView } from '../gql/graphql.ts';
import type { Label } from '../language/text.ts';

/** A view of documents, as a route and as a value of the schema. */
export interface View {
  /** Segment of the URL. */
  readonly slug: string;
  readonly value: DocumentView;
  readonly label: Label;
  readonly icon: IconName;
  /** Shown if the view has no documents. */
  readonly emptyText: Label;
}

/** The views of the schema, in the order of the navigation. */
export const views: readonly View[] = [
  {
    slug: 'inbox',
    value: 'INBOX',
    label: 'Inbox',
    icon: 'inbox',
    emptyText: 'No document waits for you.',
  },
  {
    slug: 'my-documents',
    value: 'MY_DOCS',
    label: 'My documents',
    icon: 'user',
    emptyText: 'You have not created any documents.',
  },
  {
    slug: 'repository',
    value: 'REPOSITORY',
    label: 'Repository',
    icon: 'repository',
    emptyText: 'The repository is empty.',
  },
  {
    slug: 'archive',
    value: 'ARCHIVE',
    label: 'Archive',
    icon: 'archive',
    emptyText: 'The archive is empty.',
  },
  {
    slug: 'all',
    value: 'ALL',
    label: 'All documents',
    icon: 'all',
    emptyText: 'There are no documents that you can see.',
  },
];

/** Returns the view of a URL segment. */
export function viewOf(slug: string | undefined): View | undefined {
  return views.find((view) => view.slug === slug);
}
