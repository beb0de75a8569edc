import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/features/settings.ts';

const mcp = { MCP: 'on', PERSISTED_DOCUMENTS: 'manifest.json' };
const jwt = { IDENTITY: 'jwt', JWT_SECRET: 'x'.repeat(32) };

describe('the setting MCP', () => {
  it('requires trusted documents', () => {
    expect(() => readConfig({ MCP: 'on' })).toThrow(
      /^Invalid settings:\n {2}PERSISTED_DOCUMENTS is required with MCP=on$/,
    );
  });

  it('requires issuer and audience of tokens', () => {
    expect(() => readConfig({ ...mcp, ...jwt })).toThrow(
      /:\n {2}JWT_ISSUER is required with MCP=on\n {2}JWT_AUDIENCE is required with MCP=on$/,
    );
    expect(readConfig({ ...mcp, ...jwt, JWT_ISSUER: 'a', JWT_AUDIENCE: 'b' }).warnings).toEqual([]);
  });

  it.each([
    [{}, []],
    [{ DMS_URL: 'https://dms.example' }, [/^MCP=on with IDENTITY=passthrough sends the tokens/]],
    [
      { DMS_URL: 'https://dms.example', IDENTITY: 'service', DMS_AUTHORIZATION: 'a' },
      [/^FILE_URL_SECRET/, /^MCP=on with IDENTITY=service lets every agent/],
    ],
  ])('warns of agents that are no users: %o', (env, expected) => {
    const config = readConfig({ ...env, ...mcp });
    expect(config.warnings).toEqual(expected.map((one) => expect.stringMatching(one)));
  });
});
