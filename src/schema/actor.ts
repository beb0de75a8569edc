import { ActorRef, ServiceAccountRef } from './refs.ts';
import { isServiceAccount } from './related-objects.ts';

ActorRef.implement({
  description: 'The author of an object: a person or a service account.',
  resolveType: ({ systemId }) => (isServiceAccount(systemId) ? 'ServiceAccount' : 'Person'),
  fields: (t) => ({
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System ID: `usr-…` for a person, `api-…` for a service account.',
    }),
  }),
});

ServiceAccountRef.implement({
  description: 'An application that uses the DMS with an account of its own.',
  interfaces: [ActorRef],
  fields: (t) => ({
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System ID, such as `api-gateway`.',
    }),
  }),
});
