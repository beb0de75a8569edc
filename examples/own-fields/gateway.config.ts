import { fileURLToPath } from 'node:url';
import { defineGateway } from 'dms-graphql-gateway';
import { useNamedOperations } from './named-operations.ts';
import { createRiskClient, type Risk, type RiskClient } from './risk-client.ts';

declare module 'dms-graphql-gateway' {
  interface TeamContext {
    readonly risk: RiskClient;
  }
}

export default defineGateway({
  forms: {
    file: fileURLToPath(new URL('forms.json', import.meta.url)), // absolute: tests import this object
    types: { date: 'Date', number: 'Decimal' },
  },
  plugins: [useNamedOperations()],
  schema(builder, { DocumentRef }) {
    const RiskRef = builder.objectRef<Risk>('Risk').implement({
      description: 'What the risk service says about a document.',
      fields: (t) => ({
        score: t.exposeFloat('score', { description: 'From 0, no risk, to 1.' }),
        reasons: t.exposeStringList('reasons', { description: 'Why the score is not 0.' }),
      }),
    });
    builder.objectField(DocumentRef, 'risk', (t) =>
      t.field({
        type: RiskRef,
        nullable: true,
        description: 'The risk of the document. Null if the risk service does not know.',
        requires: ['author', 'values'], // they join the request for the document
        resolve({ fullId, author, values }, _args, { risk }) {
          const total = values?.value('total');
          return risk.of({
            id: fullId,
            author: author ?? null,
            total: total?.kind === 'text' ? total.text : null,
          });
        },
      }),
    );
  },
  context: ({ caller }) => ({
    risk: createRiskClient(process.env['RISK_URL'] ?? 'http://127.0.0.1:4100', caller.runAs),
  }),
});
