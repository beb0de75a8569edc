/**
 * The whole suite runs in two modes: by graphql-js (`npm test`), and with every query compiled at its first
 * appearance (`npm run test:compiled`).
 */
export const compileAfter = process.env['TEST_COMPILED'] === '1' ? 1 : 0;
