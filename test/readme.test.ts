import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readmeFigures } from '../bench/harness/report/readme.ts';
import { lastFullRun } from '../bench/harness/results.ts';
import { shareGatewayOnSandbox } from './helpers/gateway.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The fenced block after a marker. */
function block(marker: string): string {
  const found = new RegExp(`<!-- ${marker} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(readme);
  return found![1]!;
}

const onSandbox = shareGatewayOnSandbox();

describe('the README', () => {
  it("shows a query with the sandbox's response", async () => {
    const { query } = onSandbox();
    const { data } = await query(block('query'));
    expect({ data }).toEqual(JSON.parse(block('answer')));
  });

  it('shows a query for curl, and a mutation', async () => {
    const { query } = onSandbox();
    const [, body] = /-d '(.*)'/.exec(readme)!;
    const { data } = await query((JSON.parse(body!) as { query: string }).query);
    expect(data).toMatchObject({ documents: { totalCount: 26, nodes: [{ shortId: 'DOC-0191' }] } });
    const write = await query(block('mutation'));
    expect(write.data).toEqual({
      respondToDocument: {
        __typename: 'RespondToDocumentPayload',
        document: { id: expect.any(String), shortId: 'DOC-0191' },
      },
    });
    const missing = await query(block('mutation').replace('DOC-0191', 'DOC-9999'));
    expect(missing.data).toMatchObject({ respondToDocument: { __typename: 'NotFoundError' } });
  });

  it('shows the figures of the last full run', () => {
    const [, shown] = /<!-- figures -->([\s\S]*?)<!-- end of figures -->/.exec(readme)!;
    // The formatter aligns columns and breaks lines.
    const plain = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ').trim();
    expect(plain(shown!)).toBe(plain(readmeFigures(lastFullRun())));
  });
});
