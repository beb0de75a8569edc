import { describe, expect, it } from 'vitest';
import { createResolvers } from '../helpers/resolvers.ts';
import { globalId, idOf } from '../helpers/ids.ts';

const account = globalId('ServiceAccount', 'api-scanner');
const ann = globalId('Person', 'usr-ann');

/** Documents by a service account, by Ann, and by a person without a name. */
function withAuthors() {
  const resolvers = createResolvers();
  const authors = ['api-scanner', 'usr-ann', 'usr-new'];
  resolvers.dms.reply(
    'GET',
    /^\/api\/v2\/docForm\/view\//,
    authors.map((author, i) => ({ _id: idOf(i), author })),
  );
  resolvers.dms.reply('GET', '/api/v2/person/usr-ann', {
    _id_sys: 'usr-ann',
    name_first: 'Ann',
    name_last: 'Lee',
  });
  resolvers.dms.reply('GET', '/api/v2/person/usr-new', { _id_sys: 'usr-new' });
  const authorsWith = async (selection: string) => {
    const { data, errors } = await resolvers.run(
      `{ documents { nodes { author { ${selection} } } } }`,
    );
    expect(errors).toBeUndefined();
    const { nodes } = data!['documents'] as { nodes: { author: object }[] };
    return nodes.map(({ author }) => author);
  };
  const personRequests = () => resolvers.dms.requests.filter((line) => line.includes('/person/'));
  return { ...resolvers, authorsWith, personRequests };
}

describe('Actor', () => {
  it('has an ID without a request', async () => {
    const { authorsWith, personRequests } = withAuthors();
    expect(await authorsWith('__typename id systemId')).toEqual([
      { __typename: 'ServiceAccount', id: account, systemId: 'api-scanner' },
      { __typename: 'Person', id: ann, systemId: 'usr-ann' },
      { __typename: 'Person', id: globalId('Person', 'usr-new'), systemId: 'usr-new' },
    ]);
    expect(personRequests()).toEqual([]);
  });

  it('has a name to show, which costs a request for a person only', async () => {
    const { authorsWith, personRequests } = withAuthors();
    expect(await authorsWith('displayName ... on Person { fullName }')).toEqual([
      { displayName: 'api-scanner' },
      { displayName: 'Ann Lee', fullName: 'Ann Lee' },
      { displayName: 'usr-new', fullName: null },
    ]);
    expect(personRequests()).toEqual(['GET /api/v2/person/usr-ann', 'GET /api/v2/person/usr-new']);
  });

  it('has the ID as its name if the person no longer exists', async () => {
    const resolvers = createResolvers();
    resolvers.dms
      .reply('GET', /^\/api\/v2\/docForm\/view\//, [{ _id: idOf(1), author: 'usr-gone' }])
      .reply('GET', '/api/v2/person/usr-gone', null, { status: 404 });
    const { data, errors } = await resolvers.run(`{
      documents { nodes { author { id displayName ... on Person { email deputy { enabled } } } } }
      person(id: "usr-gone") { id }
    }`);
    expect(errors).toBeUndefined();
    const id = globalId('Person', 'usr-gone');
    expect(data).toEqual({
      documents: {
        nodes: [{ author: { id, displayName: 'usr-gone', email: null, deputy: null } }],
      },
      person: null,
    });
  });

  it('is a node without a request if it is a service account', async () => {
    const { run, dms } = withAuthors();
    const { data, errors } = await run(
      `{
        node(id: "${account}") { __typename id ... on Actor { systemId displayName } }
        nodes(ids: ["${ann}", "${account}"]) { id ... on Actor { displayName } }
      }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      node: {
        __typename: 'ServiceAccount',
        id: account,
        systemId: 'api-scanner',
        displayName: 'api-scanner',
      },
      nodes: [
        { id: ann, displayName: 'Ann Lee' },
        { id: account, displayName: 'api-scanner' },
      ],
    });
    expect(dms.requests).toEqual(['GET /api/v2/person/usr-ann']);
  });

  it.each([
    ['node', globalId('ServiceAccount', 'usr-ann')],
    ['node', globalId('ServiceAccount', 'api-a/b')],
    ['node', globalId('Person', 'api-scanner')],
    ['person', account],
  ])('rejects for %s the ID %s', async (field, id) => {
    const { run, dms } = withAuthors();
    const { codes } = await run(`{ ${field}(id: "${id}") { id } }`);
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(dms.requests).toEqual([]);
  });
});
