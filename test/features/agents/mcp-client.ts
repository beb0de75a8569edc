import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** A client of the SDK, which is closed when the test ends. */
export interface McpClient extends Client {
  /** The structured result of a tool. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests know the shape of what they call
  call(name: string, args?: Record<string, unknown>): Promise<any>;
}

/** `modern` is the revision 2026-07-28, `legacy` the earlier ones with a handshake. */
export type Revision = 'modern' | 'legacy';

/** Connects the client of the SDK to /mcp. The client checks results against the schemas of the tools. */
export async function connectMcp(
  url: string,
  headers: Record<string, string> = {},
  revision: Revision = 'modern',
): Promise<McpClient> {
  const mode = revision === 'modern' ? 'auto' : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  );
  const call: McpClient['call'] = async (name, args = {}) => {
    const { structuredContent, isError = false } = await client.callTool({ name, arguments: args });
    return { isError, ...(structuredContent as object) };
  };
  return Object.assign(client, { call });
}
