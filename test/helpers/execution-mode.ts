import { loadCompiler } from '../../src/server/graphql/compiled-operations.ts';

/**
 * The suite runs in two modes: with graphql-js (`npm test`), and with every operation compiled on its first execution
 * (`npm run test:compiled`).
 */
export const compileAfter = process.env['TEST_COMPILED'] === '1' ? 1 : 0;

if (compileAfter > 0) await loadCompiler();
