import { useStore } from '../../../../ui/store.ts';
import { labelOfTag } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { currentLanguage, textIn } from '../../language/language.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';

export const formFieldsFragment = graphql(`
  fragment FormFields on Form {
    id
    customFields {
      prefix
      fieldName
      type
      required
      names {
        language
        text
      }
      columns {
        fieldName
        type
        names {
          language
          text
        }
      }
    }
  }
`);

/** The form of a document. A gateway that does not know the forms does not have it. */
export const documentFormFragment = graphql(`
  fragment DeclaredForm on Document {
    id
    form {
      id
      shortId
      ...FormFields
    }
  }
`);

/** Returns the fields of a form, in its order. Empty without a form. A field without a name cannot have a value. */
export function useFormFields(
  form: FragmentType<typeof formFieldsFragment> | null | undefined,
): readonly FieldDefinition[] {
  const language = useStore(currentLanguage);
  const fields = useFragment(formFieldsFragment, form)?.customFields ?? [];
  return fields.flatMap(({ fieldName, prefix, names, type, required, columns }) => {
    if (!fieldName) return [];
    const tag = `${prefix ?? ''}${fieldName}`;
    return [
      {
        tag,
        label: textIn(names, language) ?? labelOfTag(tag),
        type,
        isRequired: required === true,
        columns: columns.flatMap((column) => {
          const name = column.fieldName;
          return name ? [{ ...column, name, label: textIn(column.names, language) ?? name }] : [];
        }),
      },
    ];
  });
}

/** Returns the field of a document for a tag. A tag that its form does not have is labelled by itself. */
export type FieldOf = (tag: string) => FieldDefinition;

/** Returns the short ID of the form of a document. Null if the gateway does not know it. */
export function useFormId(document: FragmentType<typeof documentFormFragment>): string | null {
  return useFragment(documentFormFragment, document).form?.shortId ?? null;
}

export function useFieldOf(document: FragmentType<typeof documentFormFragment>): FieldOf {
  const fields = useFormFields(useFragment(documentFormFragment, document).form);
  return (tag) =>
    fields.find((field) => field.tag === tag) ?? {
      tag,
      label: labelOfTag(tag),
      type: '',
      isRequired: false,
      columns: [],
    };
}
