import { builder } from './builder.ts';
import { countListFields } from './selection/list-fields.ts';
import './scalars.ts';
import './meta.ts';
import './actor.ts';
import './person/type.ts';
import './person/mutations.ts';
import './org-unit/type.ts';
import './org-unit/mutations.ts';
import './list-value/type.ts';
import './list-value/mutations.ts';
import './organization/type.ts';
import './organization/mutations.ts';
import './form.ts';
import './workflow-action.ts';
import './document/type.ts';
import './document/field-values.ts';
import './document/reco-data.ts';
import './document/recognition.ts';
import './document/references.ts';
import './document/queries.ts';
import './document/create-mutation.ts';
import './document/workflow-mutations.ts';
import './document-response.ts';
import './viewer.ts';
import './node.ts';

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({
  description: 'Everything that can be written. Each is sent to the DMS once, one after the other.',
});

/** The public schema, built once. */
export const schema = countListFields(builder.toSchema());
