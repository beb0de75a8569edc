import { builder } from './builder.ts';
import { PersonRef } from './refs.ts';
import { personOf } from './related-objects.ts';

const ViewerRef = builder.objectRef<{ runAs: string | null }>('Viewer').implement({
  description: 'The user on whose behalf a request runs.',
  fields: (t) => ({
    runAs: t.exposeString('runAs', {
      nullable: true,
      description:
        'System id or e-mail of the user; null where the service account acts for itself.',
    }),
    person: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The user as a person; null for the service account, and where the user is known by e-mail only: the DMS finds persons by system id alone.',
      resolve: ({ runAs }, _args, context, info) =>
        runAs?.startsWith('usr-') ? personOf(runAs, context, info) : null,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    description: 'The user on whose behalf this request runs.',
    resolve: (_root, _args, { runAs }) => ({ runAs }),
  }),
);
