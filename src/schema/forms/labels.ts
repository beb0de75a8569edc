import type { CustomField } from '../../model/form.ts';
import type { DeclaredForms } from '../../model/typed-form.ts';
import type { ExtensionBuilder, SchemaRefs } from '../extend.ts';
import { localizedTextField } from '../input/language.ts';
import { objectOf } from '../related-objects.ts';
import { formRequirements, hasForm } from './output.ts';

/** Adds `labels`, and `form` if a property of documents says which form they have. */
export function addLabels(
  { typed, documentProperty }: DeclaredForms,
  builder: ExtensionBuilder,
  { DocumentRef, FormRef, TranslationRef }: SchemaRefs,
): void {
  const Label = builder.objectRef<CustomField>('FieldLabel').implement({
    description: 'The label of a form field.',
    fields: (t) => ({
      tag: t.string({
        description: 'Tag of the form field, such as `supplier`.',
        resolve: ({ fieldName }) => fieldName ?? '',
      }),
      label: localizedTextField(t, 'Label', ({ names }) => names),
      labels: t.field({
        type: [TranslationRef],
        description: 'All translations of the label.',
        resolve: ({ names }) => names,
      }),
    }),
  });
  builder.objectField(DocumentRef, 'labels', (t) =>
    t.field({
      type: [Label],
      requires: formRequirements(documentProperty),
      description:
        'Labels of the fields of the form of this document, in the order of the form. Cost no DMS request of their own and need no role. Empty if the form is not declared.',
      resolve: (document) =>
        typed.find((one) => hasForm(document, one, documentProperty))?.form.customFields ?? [],
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
