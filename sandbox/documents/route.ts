import type { Process } from '../workflow.ts';

/** The process of a form for one document, with `@author` and `@head` replaced by persons. */
export function resolveRoute(process: Process, author: string, head: string): Process {
  const resolve = (stages: Process['approval']) =>
    stages.map((stage) => [
      ...new Set(
        stage.map((actor) => {
          if (actor === '@author') return author;
          return actor === '@head' ? head : actor;
        }),
      ),
    ]);
  return {
    approval: resolve(process.approval),
    sign: resolve(process.sign),
    execution: resolve(process.execution),
    after: process.after,
  };
}
