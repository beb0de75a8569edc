import { integer } from '../../config/setting-parsers.ts';
import type { Executor } from '../../schema/plan/operation-plan.ts';
import { defineFeature } from '../../server/feature.ts';

export const compiledExecution = defineFeature({
  name: 'compiled-execution',
  settings: {
    compileAfter: integer(
      'COMPILE_AFTER',
      3,
      [0, 1_000_000],
      'Compile a query on its Nth execution. 0 disables compilation.',
      'to 0, while you look for a fault',
    ),
  },
  schema({ compileAfter }) {
    if (compileAfter === 0) return null;
    let find: Executor['find'] | null = null;
    const executor: Executor = {
      async load() {
        const { createOperationCompiler } = await import('./operation-compiler.ts');
        find ??= createOperationCompiler(compileAfter);
      },
      find: (plan) => find?.(plan) ?? null,
    };
    return { provides: { executor } };
  },
});
