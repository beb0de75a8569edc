import type { IconName } from '../../../ui/icon.tsx';
import type { DocumentView } from '../gql/graphql.ts';
import type { Label } from '../language/text.ts';

export interface View {
  readonly slug: string;
  readonly value: DocumentView;
  readonly label: Label;
  readonly icon: IconName;
  readonly emptyText: Label;
}

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

export function viewOf(slug: string | undefined): View | undefined {
  return views.find((view) => view.slug === slug);
}
