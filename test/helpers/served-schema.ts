import { features } from '../../src/features/index.ts';
import { readConfig } from '../../src/features/settings.ts';
import { schema as core } from '../../src/schema/index.ts';
import { transformSchema } from '../../src/server/open-features.ts';

/** The schema of a gateway without settings, with what features add. */
export const schema = await transformSchema(features, readConfig({}), core);
