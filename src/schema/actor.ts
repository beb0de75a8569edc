import { ActorRef, ServiceAccountRef } from './refs.ts';
import { isServiceAccount } from './related-objects.ts';

ActorRef.implement({
  description: 'Whoever can author something: a person (`usr-…`) or a service account (`api-…`).',
  resolveType: ({ systemId }) => (isServiceAccount(systemId) ? 'ServiceAccount' : 'Person'),
  fields: (t) => ({
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System id: `usr-…` for a person, `api-…` for a service account.',
    }),
  }),
});

ServiceAccountRef.implement({
  description: 'A program that works with the DMS on its own account.',
  interfaces: [ActorRef],
  fields: (t) => ({
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System id (`api-…`) of the account.',
    }),
  }),
});
