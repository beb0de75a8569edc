import type { Feature } from '../../src/server/feature.ts';
import { createFrontEndHandler } from '../../src/features/front-end.ts';

/** A feature that serves the front end in a directory at / and /app. */
export function frontEndIn(directory: string): Feature {
  const { sendPage, sendAsset } = createFrontEndHandler({
    directory,
    policy: ["style-src 'self'", "img-src 'self'"],
  });
  const page = { answer: sendPage };
  return {
    name: 'front-end',
    open: async () => ({
      endpoints: () => ({
        '/': page,
        '/app': page,
        '/app/*': page,
        '/assets/*': { answer: sendAsset },
      }),
    }),
  };
}
