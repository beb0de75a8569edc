import { expect, it } from 'vitest';
import { startGatewayBefore, startGatewayOnSandbox } from '../helpers/gateway.ts';

/*
 * The sandbox returns exactly the properties in `fields`. A property that the gateway does not request would be null
 * with the projection only.
 */

const everything = `
  query ($first: Int!, $offset: Int!) {
    documents(first: $first, offset: $offset) {
      totalCount
      nodes {
        id fullId shortId state step iteration status formSystemType dateCreated dateDue tags
        meta { createdAt modifiedAt revision }
        author { systemId ... on Person { fullName } }
        values { tag ... on TextValue { text } ... on TableValue { columns rows records } }
        valuesByTags
        files { id name }
        recoData {
          id pageIndexStart pageIndexEnd validated
          form { id name form }
          result { confidence form { id name } }
          values { tag ... on TextValue { text } ... on TableValue { columns rows } }
        }
        refByDocs { totalCount nodes { shortId state } }
        response {
          id state status step iteration action actionCode resolutionId content
          author { systemId } document { id } resolvedTo { systemId } meta { revision }
        }
        extra(names: ["docnum"])
      }
    }
  }`;

it('returns the same result with and without projection', async () => {
  const projecting = await startGatewayOnSandbox();
  const credential = { kind: 'fixed' as const, authorization: projecting.sandbox.authorization };
  const plain = await startGatewayBefore(projecting.sandbox.url, {
    server: { credential },
    http: { projection: false },
  });
  for (let offset = 0; offset < 200; offset += 50) {
    const variables = { first: 50, offset };
    const before = projecting.requests.length;
    const projected = await projecting.query(everything, variables);
    const sent = projecting.requests.slice(before);
    const whole = await plain.query(everything, variables);
    expect(projected.errors).toBeUndefined();
    expect(whole.errors).toBeUndefined();
    expect(projected.data).toEqual(whole.data);
    expect(sent.filter((line) => line.includes('/view/'))).toHaveLength(1);
    expect(sent.every((line) => !line.includes('docForm') || line.includes('fields='))).toBe(true);
  }
}, 60_000);
