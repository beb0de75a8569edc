import { introspectionFromSchema } from 'graphql';
import { schema } from './served-schema.ts';

/** What `dms-graphql-gateway/introspection.json` contains in the package. */
export default introspectionFromSchema(schema, { descriptions: false });
