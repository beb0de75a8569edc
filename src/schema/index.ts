import { builder } from './builder.ts';
import { countListFields } from './list-fields.ts';
import './scalars.ts';
import './common.ts';
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
import './workflow.ts';
import './document/type.ts';
import './document/values.ts';
import './document/reco-data.ts';
import './document/recognition.ts';
import './document/references.ts';
import './document/pages.ts';
import './document/create.ts';
import './document/act.ts';
import './document-response.ts';
import './viewer.ts';
import './node.ts';

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({
  description: 'Everything that can be written. Each is sent to the DMS once, one after the other.',
});

/** The public schema, built once. */
export const schema = countListFields(builder.toSchema());
