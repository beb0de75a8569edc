import { loadCompiler } from '../../src/server/graphql/compiled-operations.ts';

/**
 * The whole suite runs in two modes: by graphql-js (`npm test`), and with every operation compiled at its first
 * appearance (`npm run test:compiled`).
 */
export const compileAfter = process.env['TEST_COMPILED'] === '1' ? 1 : 0;

if (compileAfter > 0) await loadCompiler();
