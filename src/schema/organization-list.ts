import { noRequirements } from '../model/document-requirements.ts';
import type { Organization } from '../model/organization.ts';
import { builder } from './builder.ts';
import { badInput } from './graphql-error.ts';
import { defineConnection, readConnection, type PagedList } from './paging/connection.ts';
import { costOfPage, costOfWhole } from './paging/read-page.ts';
import { pageArgs, windowOf, type PageArgs } from './paging/window.ts';
import { OrganizationRef } from './refs.ts';

const maxSearched = 2000;
const maxSearchLength = 256;

const OrganizationConnection = defineConnection('Organization', OrganizationRef, {
  one: 'an organization',
  many: 'organizations',
});

interface ListArgs extends PageArgs {
  readonly search?: string | null | undefined;
}

builder.queryField('organizations', (t) =>
  t.field({
    type: OrganizationConnection,
    args: {
      search: t.arg.string({
        description: `Return only organizations whose name, external ID or government ID contains each of these words, regardless of case and accents; at most ${maxSearchLength} characters. Blank text matches all. The DMS cannot search, so the gateway reads the whole directory, which can have at most ${maxSearched} organizations: one DMS request per 100, or none while it is cached. A longer directory is rejected with \`BAD_USER_INPUT\`.`,
      }),
      ...pageArgs,
    },
    precheck: (args: ListArgs) => {
      const words = wordsOf(args);
      windowOf(args, listOf(words));
      return words.length === 0 ? costOfPage(args) : costOfWhole(args, { max: maxSearched });
    },
    description:
      'Returns a page of the organizations. Costs one DMS request per 100 items; `last` without `before` costs one more. With `search`, costs one per 100 organizations of the whole directory.',
    resolve: (_root, args, context, info) => {
      const { dms, loaders } = context;
      const words = wordsOf(args);
      const paged: PagedList<Organization> = {
        ...listOf(words),
        read: (page) => dms.organizations.list(page),
        prime(items) {
          for (const item of items) loaders.organization.prime(item.fullId, item);
        },
        keyOf: ({ fullId }) => fullId,
        whole: words.length === 0 ? undefined : matchesOf(words),
      };
      return readConnection(paged, args, context, info);
    },
  }),
);

/** The words to search for, without case and accents. @throws BAD_USER_INPUT for text that is too long */
function wordsOf({ search }: ListArgs): readonly string[] {
  if (search == null) return [];
  if (search.length > maxSearchLength) {
    throw badInput(`\`search\` can have at most ${maxSearchLength} characters.`);
  }
  return folded(search).split(/\s+/).filter(Boolean);
}

const listOf = (words: readonly string[]) => ({ name: 'organizations', scope: words.join(' ') });

function matchesOf(words: readonly string[]) {
  return {
    max: maxSearched,
    requires: noRequirements,
    tooLong: (length: number | string) =>
      `\`search\` reads at most ${maxSearched} organizations, but the directory has ${length}. Fetch one with \`organization(id:)\`, or page without \`search\`.`,
    arrange: (organizations: readonly Organization[]) =>
      organizations.filter(({ name, externalId, governmentId }) => {
        const text = folded([name, externalId, governmentId].join('\n'));
        return words.every((word) => text.includes(word));
      }),
  };
}

/** Text for comparison. NFKD separates accents from letters; upper case also makes `ß` equal to `ss`. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
}
