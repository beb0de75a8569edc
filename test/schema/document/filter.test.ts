import { describe, expect, it } from 'vitest';
import { globalId, idOf } from '../../helpers/ids.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const query =
  'query ($forms: [ID!], $after: String) { documents(filter: { forms: $forms }, first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }';

/** A DMS with documents, and the requests for them without paging and projection. */
function setUp() {
  const resolvers = createResolvers();
  resolvers.dms.reply('GET', /^\/api\/v2\/docForm\/view\//, [{ _id: idOf(1) }]);
  const filters = () => resolvers.dms.requests.map((line) => /&(form=[^&]*)/.exec(line)?.[1]);
  return { ...resolvers, filters };
}

describe('filter.forms', () => {
  it('takes full and global IDs', async () => {
    const { run, filters } = setUp();
    const { errors } = await run(query, { forms: [idOf(1), globalId('Form', idOf(2))] });
    expect(errors).toBeUndefined();
    expect(filters()).toEqual([`form=${idOf(1)},${idOf(2)}`]);
  });

  it.each(['invoise', globalId('Form', 'invoise'), globalId('Person', 'usr-ann'), ''])(
    'rejects %j before a request',
    async (form) => {
      const { run, dms } = setUp();
      const { codes } = await run(query, { forms: [form] });
      expect(codes).toEqual(['BAD_USER_INPUT']);
      expect(dms.requests).toEqual([]);
    },
  );

  it('rejects a short ID of a form that is not declared', async () => {
    const { run, dms } = setUp();
    const { errors } = await run(query, { forms: ['invoice'] });
    expect(errors?.[0]?.message).toBe(
      '`filter.forms[0]` must be the global or full ID of a form, or the short ID of a declared form.',
    );
    expect(dms.requests).toEqual([]);
  });
});
