import { onOff } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

export const playground = defineFeature({
  name: 'playground',
  settings: {
    playground: onOff(
      'PLAYGROUND',
      true,
      'Serve GraphiQL to browsers at /graphql.',
      'to off, on the internet',
    ),
  },
  async open(settings) {
    if (!settings.playground) return null;
    const { createPlayground } = await import('./playground-page.ts');
    return createPlayground(settings);
  },
});
