import type { Document } from '../../model/document.ts';
import type { CustomField, DeclaredForms, TypedForm } from '../../model/form.ts';
import type { ExtensionBuilder, SchemaRefs } from '../../schema/extend.ts';
import { objectOf } from '../../schema/related-objects.ts';
import { translatedFields } from '../../schema/translated-text.ts';
import { formRequirements } from './output.ts';

export function addLabels(
  { typed, documentProperty }: DeclaredForms,
  builder: ExtensionBuilder,
  { DocumentRef, FormRef }: SchemaRefs,
): void {
  const Label = builder.objectRef<CustomField>('FieldLabel').implement({
    description: 'The label of a form field.',
    fields: (t) => ({
      tag: t.string({
        description: 'Tag of the form field, such as `supplier`.',
        resolve: ({ fieldName }) => fieldName ?? '',
      }),
      ...translatedFields(t, ['label', 'labels'], 'Label', ({ names }) => names),
    }),
  });
  const formOf = formFinder(typed, documentProperty);
  builder.objectField(DocumentRef, 'labels', (t) =>
    t.field({
      type: [Label],
      requires: formRequirements(documentProperty),
      description:
        'Labels of the fields of the form of this document, in the order of the form. Cost no DMS request of their own and need no role. Empty if the form is not declared.',
      resolve: (document) => formOf(document)?.form.customFields ?? [],
    }),
  );
  if (documentProperty === null) return;
  builder.objectField(DocumentRef, 'form', (t) =>
    t.field({
      type: FormRef,
      nullable: true,
      requires: [`extra:${documentProperty}`],
      description: 'The form of the document. Costs no DMS request.',
      resolve: ({ extra }, _args, context, info) => {
        const id = extra?.[documentProperty];
        return typeof id === 'string' ? objectOf('Form', id, context, info) : null;
      },
    }),
  );
}

function formFinder(
  typed: readonly TypedForm[],
  documentProperty: string | null,
): (document: Partial<Document>) => TypedForm | undefined {
  if (documentProperty !== null) {
    const byId = new Map(typed.map((one) => [one.form.fullId, one]));
    return ({ extra }) => byId.get(extra?.[documentProperty] as string);
  }
  const firstByTag = new Map<string, number>();
  for (const [i, { fields }] of typed.entries()) {
    for (const { tag } of fields) if (!firstByTag.has(tag)) firstByTag.set(tag, i);
  }
  return ({ values }) => {
    let first = typed.length;
    for (const tag of values?.tags() ?? []) first = Math.min(first, firstByTag.get(tag) ?? first);
    return typed[first];
  };
}
