import { readConfig } from '../../src/features/settings.ts';
import { openSchemaOf } from '../../src/gateway-config.ts';

/** The schema of a gateway without settings, with what features add. */
export const schema = await (await openSchemaOf({}, readConfig({}))).build();
