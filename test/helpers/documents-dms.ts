import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import type { MockDms } from './mock-dms.ts';

/** A full id. */
export const idOf = (n: number): string => n.toString(16).padStart(24, '0');
/** That of the document that most operations read. */
export const id = idOf(1);

/** A DMS whose answers all wait for `beforeReply`. */
function holding(dms: MockDms, beforeReply: () => Promise<void>): Pick<MockDms, 'reply'> {
  return {
    reply: (method, path, body, options) =>
      dms.reply(
        method,
        path,
        async (request) => {
          await beforeReply();
          return typeof body === 'function' ? body(request) : body;
        },
        options,
      ),
  };
}

/** A document with everything, of which each test asks for a part. */
export const wireDocument = (fullId: string) => ({
  _id: fullId,
  _id_web: `DOC-${Number(`0x${fullId}`)}`,
  state: 10,
  step: 2,
  _tags: ['a', 'b'],
  author: 'usr-ann',
  refByDocs: [idOf(2), idOf(3)],
  docResponse: { _id: idOf(900), state: 10, content: 'Fine.', author: 'usr-ann' },
  recoData: [
    { _id: idOf(801), pageIdxStart: 0, recoResult: { recoFormConfidence: 0.5 } },
    { _id: idOf(802), pageIdxStart: 2, recoResult: { recoFormConfidence: 0.7 } },
  ],
});

/** A gateway before a mocked DMS. */
type MockedGateway = TestGateway & { readonly dms: MockDms };

/** A DMS with documents, of which a view has three. */
export async function startWithDocuments(
  options: TestGatewayOptions = {},
  beforeReply: () => Promise<void> = async () => {},
): Promise<MockedGateway> {
  const gateway = await startGateway(options);
  const dms = holding(gateway.dms, beforeReply);
  dms.reply('GET', /^\/api\/v2\/docForm\/[0-9a-f]{24}/, ({ path }) =>
    wireDocument(path.slice('/api/v2/docForm/'.length).slice(0, 24)),
  );
  dms.reply('GET', /^\/api\/v2\/docForm\/view\/all/, [1, 2, 3].map(idOf).map(wireDocument), {
    headers: { 'svc-total-count': '3' },
  });
  dms.reply('GET', /^\/api\/v2\/idp\/[0-9a-f]+\/text/, 'Dear Sir', {
    headers: { 'content-type': 'text/plain' },
  });
  dms.reply('GET', /^\/api\/v2\/crm\/org/, [{ _id: idOf(700), name: 'Acme' }]);
  dms.reply('GET', '/api/v2/person/usr-ann', {
    _id_sys: 'usr-ann',
    name_first: 'Ann',
    name_last: 'Lee',
  });
  return gateway;
}

/** What the DMS was asked for, without the prefix that all have. */
export const requestsOf = ({ dms }: MockedGateway): string[] =>
  dms.requests.map((line) => line.replace('GET /api/v2/', '').replaceAll(/0{20,}/g, '#'));

/** An operation without its directives and its variables. */
export const undeferred = (query: string): string =>
  query.replaceAll(/@(defer|stream)(\([^)]*\))?|^query \(.*?\)/g, '');
