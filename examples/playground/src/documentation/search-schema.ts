import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLSchema,
} from 'graphql';

export interface Found {
  /** Such as `Document`, `Query.documents`, `Query.documents(view:)` or `DocumentView.INBOX`. */
  readonly label: string;
  readonly path: readonly (GraphQLNamedType | Field)[];
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

const maxFound = 100;

/**
 * Returns the types, fields, arguments and enum values whose name contains a text, regardless of case. With a period, the text
 * is compared with the name of the type and of the field or value. The best come first.
 */
export function searchSchema(schema: GraphQLSchema, text: string): readonly Found[] {
  const searched = text.trim().toLowerCase();
  const ranks: Found[][] = [[], [], []];
  for (const [name, found] of elementsOf(schema)) {
    const compared = (searched.includes('.') ? found.label : name).toLowerCase();
    const index = compared.indexOf(searched);
    if (index >= 0) ranks[compared === searched ? 0 : index === 0 ? 1 : 2]!.push(found);
  }
  return ranks.flat().slice(0, maxFound);
}

function* elementsOf(schema: GraphQLSchema): Generator<readonly [name: string, found: Found]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    yield [type.name, { label: type.name, path: [type] }];
    for (const { name } of 'getValues' in type ? type.getValues() : []) {
      yield [name, { label: `${type.name}.${name}`, path: [type] }];
    }
    const fields: readonly Field[] = 'getFields' in type ? Object.values(type.getFields()) : [];
    for (const field of fields) {
      const label = `${type.name}.${field.name}`;
      yield [field.name, { label, path: [type, field] }];
      const parameters: readonly GraphQLArgument[] = 'args' in field ? field.args : [];
      for (const { name } of parameters) {
        yield [name, { label: `${label}(${name}:)`, path: [type, field] }];
      }
    }
  }
}
