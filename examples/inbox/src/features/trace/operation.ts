import { print, visit, type DocumentNode, type FragmentDefinitionNode } from 'graphql';
import type { Operation } from '../../../../ui/playground-link.ts';
import { areFormsDeclared, withoutDeclaredForms } from '../../client/declared-forms.ts';

export function operationOf(document: DocumentNode, variables: object): Operation {
  const hasVariables = Object.keys(variables).length > 0;
  return {
    query: textOf(document),
    ...(hasVariables && { variables: JSON.stringify(variables, null, 2) }),
  };
}

export function operationOfFragment(fragment: DocumentNode, id: string): Operation {
  const { name } = fragment.definitions[0] as FragmentDefinitionNode;
  const read = areFormsDeclared.get() ? fragment : withoutDeclaredForms(fragment);
  return {
    query: `query ${name.value} {\n  document(id: ${JSON.stringify(id)}) {\n    ...${name.value}\n  }\n}\n\n${textOf(read)}`,
  };
}

function textOf(document: DocumentNode): string {
  const isAdded = (name: string): boolean => name === '__typename';
  return print(visit(document, { Field: ({ name }) => (isAdded(name.value) ? null : undefined) }));
}
