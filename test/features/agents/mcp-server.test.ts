import { describe, expect, it, vi } from 'vitest';
import { createMcp } from '../../../src/features/agents/mcp-server.ts';
import type { Tool } from '../../../src/features/agents/tools.ts';

/** Headers and parameters with which a client lists the tools. */
const clients = {
  modern: {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  legacy: { headers: { 'mcp-protocol-version': '2025-06-18' }, params: {} },
} as const;

const definition = {
  name: 'Person',
  description: 'Reads a person. 人',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
} as const;

/** A server with one tool, and the number of times that its definition was written as JSON. */
function startCounting() {
  const toJSON = vi.fn<() => typeof definition>(() => definition);
  const tool = { definition: { ...definition, toJSON }, argumentNames: [], documentId: 'x' };
  const answer = createMcp({ tools: new Map([['Person', tool as unknown as Tool]]) });
  const list = (revision: keyof typeof clients, id: string | number) => {
    const { headers, params } = clients[revision];
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    const message = { jsonrpc: '2.0', id, method: 'tools/list', params };
    return answer(request, message, new Map(), async () => '{}');
  };
  return { list, written: () => toJSON.mock.calls.length };
}

describe.each(['modern', 'legacy'] as const)('the list of tools of a %s revision', (revision) => {
  it('is written once', async () => {
    const { list, written } = startCounting();
    for (const id of [1, 2, 'a', '"tools":[]']) {
      const response = await list(revision, id);
      expect(response.status).toBe(200);
      const text = await response.text();
      const message = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '');
      expect(message).toMatchObject({ jsonrpc: '2.0', id, result: { tools: [definition] } });
    }
    expect(written()).toBe(1);
  });
});
