import { describe, expect, it } from 'vitest';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';
import { globalId, idOf } from '../../helpers/ids.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const invoice = wireForm('invoice', [customField('string', 'number')]);
const query =
  'query ($forms: [ID!], $after: String) { documents(filter: { forms: $forms }, first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }';

/** A DMS with documents, and the requests for them without paging and projection. */
function setUp(isDeclared: boolean) {
  const config = { forms: { file: formsFile([invoice]) } };
  const resolvers = createResolvers(isDeclared ? { config } : {});
  resolvers.dms.reply('GET', /^\/api\/v2\/docForm\/view\//, [{ _id: idOf(1) }]);
  const filters = () => resolvers.dms.requests.map((line) => /&(form=[^&]*)/.exec(line)?.[1]);
  return { ...resolvers, filters };
}

describe('filter.forms', () => {
  it('takes full and global IDs', async () => {
    const { run, filters } = setUp(false);
    const { errors } = await run(query, { forms: [idOf(1), globalId('Form', idOf(2))] });
    expect(errors).toBeUndefined();
    expect(filters()).toEqual([`form=${idOf(1)},${idOf(2)}`]);
  });

  it('takes short IDs of declared forms, also with a cursor of their full IDs', async () => {
    const { run, filters } = setUp(true);
    const { data } = await run(query, { forms: [invoice._id] });
    const { endCursor } = (data as { documents: { pageInfo: { endCursor: string } } }).documents
      .pageInfo;
    const { errors } = await run(query, { forms: ['invoice'], after: endCursor });
    expect(errors).toBeUndefined();
    expect(filters()).toEqual([`form=${invoice._id}`, `form=${invoice._id}`]);
  });

  it.each(['invoise', globalId('Form', 'invoise'), globalId('Person', 'usr-ann'), ''])(
    'rejects %j before a request',
    async (form) => {
      for (const isDeclared of [true, false]) {
        const { run, dms } = setUp(isDeclared);
        const { codes } = await run(query, { forms: [form] });
        expect(codes).toEqual(['BAD_USER_INPUT']);
        expect(dms.requests).toEqual([]);
      }
    },
  );

  it('rejects a short ID of a form that is not declared', async () => {
    const { run, dms } = setUp(false);
    const { errors } = await run(query, { forms: ['invoice'] });
    expect(errors?.[0]?.message).toBe(
      '`filter.forms[0]` must be the global or full ID of a form, or the short ID of a declared form.',
    );
    expect(dms.requests).toEqual([]);
  });
});
