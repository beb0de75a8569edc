import { ApolloLink } from '@apollo/client';
import { visit, type DocumentNode, type FragmentDefinitionNode } from 'graphql';
import { tap } from 'rxjs';
import { createStore } from '../../../ui/store.ts';

/** Whether the gateway knows the forms that this application was built for, as far as it has not said otherwise. */
export const areFormsDeclared = createStore(true);

/** Recognizes a gateway without these forms: it rejects an operation that uses them before it calls the DMS. */
export function createDeclaredFormsLink(): ApolloLink {
  return new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap(({ errors = [] }) => {
        const isInvalid = errors.some(
          ({ extensions }) => extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED',
        );
        if (isInvalid) areFormsDeclared.set(false);
      }),
    ),
  );
}

export function withoutDeclaredForms(document: DocumentNode): DocumentNode {
  let rest = visit(document, {
    FragmentSpread: ({ name }) => (name.value.startsWith('Declared') ? null : undefined),
  });
  for (;;) {
    const used = new Set<string>();
    visit(rest, { FragmentSpread: ({ name }) => void used.add(name.value) });
    const definitions = rest.definitions.filter(
      (one, index) => index === 0 || used.has((one as FragmentDefinitionNode).name.value),
    );
    if (definitions.length === rest.definitions.length) return rest;
    rest = { ...rest, definitions };
  }
}
