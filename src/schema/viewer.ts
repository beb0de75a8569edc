import { builder } from './builder.ts';
import { PersonRef } from './refs.ts';
import { objectOf } from './related-objects.ts';

const ViewerRef = builder.objectRef<{ runAs: string | null }>('Viewer').implement({
  description: 'The user on whose behalf the request runs.',
  fields: (t) => ({
    runAs: t.exposeString('runAs', {
      nullable: true,
      description:
        'System ID or e-mail address of the user, such as `usr-ann`. Null if the request runs as the service account itself.',
    }),
    person: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The user as a person. Null for the service account, and if the user is known only by e-mail address: the DMS finds persons by system ID only. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ runAs }, _args, context, info) =>
        runAs?.startsWith('usr-') ? objectOf('Person', runAs, context, info) : null,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    description: 'Returns the user on whose behalf the request runs.',
    resolve: (_root, _args, { runAs }) => ({ runAs }),
  }),
);
