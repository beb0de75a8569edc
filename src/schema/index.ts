import { builder } from './builder.ts';
import './scalars.ts';
import './common.ts';
import './actor.ts';
import './person.ts';
import './org-unit.ts';
import './list-value.ts';
import './organization.ts';
import './form.ts';
import './workflow.ts';
import './document/type.ts';
import './document/values.ts';
import './document/reco-data.ts';
import './document/recognition.ts';
import './document/references.ts';
import './document/pages.ts';
import './document-response.ts';
import './viewer.ts';
import './node.ts';

builder.queryType({ description: 'Everything that can be read.' });

/** The public schema, built once. */
export const schema = builder.toSchema();
