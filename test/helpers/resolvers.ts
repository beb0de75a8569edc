import {
  createResolvers as createPublicResolvers,
  type ResolverOptions,
  type Resolvers,
} from '../../src/testing/index.ts';
import { executionSettings } from './execution-mode.ts';

export type { Resolvers };

/** The public helper, in the mode of this run of the suite. */
export function createResolvers({ settings, ...options }: ResolverOptions = {}): Resolvers {
  return createPublicResolvers({
    ...options,
    settings: { ...executionSettings, ...settings },
  });
}
