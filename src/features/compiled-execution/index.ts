import { integer } from '../../config/setting-parsers.ts';
import { loadOnce } from '../../model/common.ts';
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
    const executor: Executor = {
      load: loadOnce(async () => {
        const { createOperationCompiler } = await import('./operation-compiler.ts');
        executor.find = createOperationCompiler(compileAfter);
      }),
      find: () => null,
    };
    return { provides: { executor } };
  },
});
