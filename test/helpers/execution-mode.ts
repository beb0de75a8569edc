import { settings } from '../../src/features/settings.ts';
import type { Settings } from '../../src/config/read-config.ts';
import type { ResolverOptions } from '../../src/testing/index.ts';

const isCompiled = process.env['TEST_COMPILED'] === '1';

/** Options of a gateway that compiles an operation on its Nth execution. 0: never. */
export const compiledAfter = (nth: number): Partial<Settings> => ({ compileAfter: nth }) as object;

/**
 * Tests of what both executors promise run in two modes: with graphql-js (`npm test`), and with every operation compiled
 * on its first execution (`npm run test:compiled`).
 */
export const executionOptions = compiledAfter(isCompiled ? 1 : 0);

/** The same for resolvers. Without the feature, there is nothing to set. */
export const executionSettings = ('compileAfter' in settings
  ? { COMPILE_AFTER: isCompiled ? 1 : 0 }
  : {}) as object as NonNullable<ResolverOptions['settings']>;
